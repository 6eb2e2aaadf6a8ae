package l0

// Tools that describe, apply and destroy infrastructure, and tools that keep copies of data elsewhere.

// hostedRemovals are the subcommands of hosting services that delete something which lasts.
const hostedRemovals = "down, volume delete, volumes rm, volume rm, environment delete, environments delete, service delete, services delete, project delete, projects:delete, projects remove, project remove, hosting:disable, functions:delete, branches delete, databases rm, addons:destroy, apps:delete, apps delete, pipelines:destroy, redis:reset, storage rm, instances delete, clusters delete, remove, rm, delete, destroy, apps:destroy, apps destroy, app destroy, sites:delete, projects delete, project rm, projects rm, pg:reset, db reset, db delete, db destroy, database delete, databases delete, branch delete, volumes destroy, volumes delete, machine destroy, compute droplet delete, droplet delete, server delete, firestore:delete, database:remove, d1 delete, kv:namespace delete, kv namespace delete, r2 bucket delete, rb, del, delete-project, kubernetes cluster delete, bucket delete, purge"

func infrastructure() []Program {
	return []Program{
		{Names: "terraform tofu terragrunt", Style: SingleDash, Command: Command{Options: Options{Dir: "-chdir=", Help: "-v -version -h -help"}}, Commands: []Command{
			{Path: "state list", Is: Reader, Operands: "word*", Options: Options{Read: "-id=", File: "-state="}},
			{Path: "version, workspace list, workspace show", Is: Reader, Operands: "-", Options: Options{Read: "-json"}},
			{Path: "fmt", Is: Writer, Operands: "write*", Options: Options{DryRun: "-check", Read: "-diff -recursive -list=", Change: "-write="}, Why: "terraform fmt rewrites files."},
			{Path: "show, output, state show, state pull, console", Is: Secrets, Why: "State and outputs hold secrets in clear text."},
			{
				Path: "init, plan, validate, providers, graph, get, test, import, refresh, taint, untaint, force-unlock, login, logout, workspace new, workspace select, state mv, state push, state replace-provider, run-all plan, metadata, modules",
				Is:   Writer, Options: Options{Write: "-out=", Change: "-force -upgrade -reconfigure -migrate-state -auto-approve -destroy", Read: "-var= -var-file= -target= -input= -lock= -no-color -refresh= -parallelism= -backend-config= -backend= -detailed-exitcode -compact-warnings"}, Why: "It runs provider plugins or writes state.",
			},
			{Path: "apply, destroy, run-all apply, run-all destroy, apply-all, destroy-all", Is: Writer, Options: Options{
				Change: "-auto-approve -destroy -terragrunt-non-interactive -non-interactive", Read: "-var= -var-file= -target= -input= -lock= -no-color -refresh= -parallelism= -replace= -state= -compact-warnings",
			}, Why: "It changes infrastructure."},
			{Path: "state rm, workspace delete", Is: Writer, Options: Options{Change: "-force", DryRun: "-dry-run"}, Why: "It forgets objects or a workspace."},
		}},
		{Names: "pulumi", GlobalsAnywhere: true, Command: Command{Options: Options{Dir: "-C= --cwd=", Read: "--color= --logtostderr -v= --non-interactive -s= --stack= --emoji", Help: "-h"}}, Commands: []Command{
			{Path: "version, whoami, about, stack ls, plugin ls, config env ls", Is: Reader, Operands: "-", Options: Options{Read: "-a --all -j --json"}},
			{Path: "stack output, stack export, config, config get, stack, logs", Is: Secrets},
			{Path: "preview, refresh, import, new, install, stack init, stack select, config set, login, logout, cancel, policy, watch, state rename, stack import, convert, package, plugin install", Is: Writer, Options: Options{Change: "-y --yes -f --skip-preview"}},
			{Path: "up, update, destroy, stack rm, state delete, dn, down", Is: Writer, Options: Options{Change: "-y --yes -f --force --skip-preview --remove --preserve-config --all", DryRun: "--preview-only"}},
		}},
		{Names: "cdk sst serverless sls sam copilot eb amplify cdktf", Command: Command{Options: Options{Help: "-h -v"}}, Commands: []Command{
			{Path: "destroy, remove, delete, app delete, env delete, svc delete, terminate", Is: Writer, Options: Options{Change: "-f --force -y --yes --all --no-prompts"}, Why: "It removes infrastructure."},
			{Path: "list, ls, diff, synth, deploy, init, bootstrap, build, package, publish, start, invoke, validate, watch, import, status, logs, info", Is: Writer, Options: Options{Change: "--require-approval= --hotswap --all"}},
		}},
		{Names: "ansible", Command: Command{Is: Remote, Operands: "word*", Options: Options{Read: "-m= --module-name= -b --become -f= --forks= -v -vv -vvv -o --one-line -l= --limit=", DryRun: "-C --check", Shell: "-a= --args=", Config: "-i= --inventory= -e= --extra-vars= -M= --module-path=", Endpoint: "-u= --user= --private-key= --key-file= -k -K", Help: "-h"}, Why: "It runs a module on other machines."}},
		{Names: "ansible-playbook ansible-pull ansible-galaxy ansible-vault ansible-console ansible-inventory ansible-lint ansible-doc ansible-config molecule", Command: Command{Is: Writer, Options: Options{Help: "-h"}, Why: "It runs plugins or changes machines."}},
		{Names: "packer nomad consul vault boundary waypoint chef knife puppet salt salt-call salt-ssh", Style: GNU, Command: Command{Options: Options{Help: "-h -v -version"}}, Commands: []Command{
			{Path: "delete, destroy, kv delete, kv destroy, kv metadata delete, secrets disable, auth disable, policy delete, lease revoke, node delete, job stop, system gc, namespace delete, operator", Is: Network, Options: Options{Change: "-purge -force -recurse -prefix -y --yes -all"}},
			{Path: "status, version, read, list, kv get, kv list, token lookup, catalog nodes, members, job status, node status, build, validate, fmt, write, kv put, login, apply, agent", Is: Secrets, Why: "It talks to a service that keeps secrets and jobs."},
		}},
		{Names: "rclone", Network: true, Command: Command{Options: Options{Read: "-v -vv -q --progress -P --transfers= --checkers= --include= --exclude= --filter= --max-depth= -u --checksum", Config: "--config=", DryRun: "-n --dry-run", Help: "-h"}}, GlobalsAnywhere: true, Commands: []Command{
			{Path: "version, listremotes, help", Is: Reader, Operands: "-"},
			{Path: "ls, lsd, lsl, lsf, lsjson, size, tree, about, check, cat, md5sum, sha1sum", Is: Network},
			{Path: "copy, copyto, move, moveto, sync, bisync, mkdir, rcat, copyurl, mount, serve, link, touch, config, dedupe, settier", Is: Network, Operands: "file* write"},
			{Path: "purge, delete, deletefile, rmdir, rmdirs, cleanup", Is: Network},
		}},
		{Names: "restic borg duplicity kopia tarsnap rdiff-backup bup", Command: Command{Options: Options{Help: "-h -V", Config: "-r= --repo= --password-file= -p="}}, Commands: []Command{
			{Path: "forget, prune, delete, snapshot delete, remove-older-than, remove-all-but-n-full, remove-all-inc-of-but-n-full, cleanup, unlock, compact, key remove, policy delete", Is: Network, Options: Options{DryRun: "-n --dry-run", Change: "--prune --force --keep-last= --keep-daily="}},
			{Path: "snapshots, list, info, ls, diff, find, stats, check, verify, backup, create, restore, extract, init, mount, key list, copy, recover, rebuild-index, version", Is: Network},
		}},
		{Names: "etcdctl", Network: true, Command: Command{Options: Options{Endpoint: "--endpoints= --cacert= --cert= --key= --user="}}, Commands: []Command{
			{Path: "get, member list, endpoint health, endpoint status, version", Is: Network},
			{Path: "del, member remove, user delete, role delete, put, compact, defrag", Is: Network, Options: Options{Read: "--from-key --prev-kv", Change: "--prefix"}},
		}},
		{Names: "rabbitmqctl rabbitmqadmin", Network: true, Command: Command{Options: Options{Read: "-q", Endpoint: "-n= -H= -P= -u= -p= --vhost="}}, Commands: []Command{
			{Path: "status, list_queues, list_users, list_vhosts, list, show, cluster_status", Is: Network},
			{Path: "reset, force_reset, delete_vhost, delete_queue, purge_queue, delete_user, delete, purge, stop, stop_app", Is: Network},
		}},
		{Names: "kafka-topics.sh kafka-topics kafka-delete-records.sh kafka-delete-records kafka-consumer-groups.sh kafka-consumer-groups", Style: GNU, Network: true, Command: Command{Is: Network, Options: Options{
			Read: "--list --describe --topic= --partitions= --group=", Change: "--delete --create --alter --reset-offsets --execute", Endpoint: "--bootstrap-server= --zookeeper= --command-config=",
		}}},
		{Names: "fastboot", Command: Command{Is: Writer, Operands: "word*", Why: "It changes a device.", Options: Options{Read: "-s=", Change: "-w", Help: "-h"}}},
		{Names: "adb", Command: Command{Options: Options{Read: "-d -e -s= -t=", Endpoint: "-H= -P= -L="}}, Commands: []Command{
			{Path: "shell, exec-out", Is: Remote, Operands: "shell*", Options: Options{Read: "-t -T -x -n"}, Why: "It runs a program on a device."},
			{Path: "install, uninstall, push, pull, sync, root, unroot, remount, reboot, sideload, tcpip, usb, forward, reverse, connect, disconnect, kill-server, start-server, backup, restore, bugreport", Is: Writer, Why: "It changes a device or files."},
		}},
		{Names: "pdsh pssh parallel-ssh clush dsh mussh", Network: true, Command: Command{Is: Remote, Operands: "shell*", Options: Options{Read: "-w= -l= -h= -H= -A= -i -t= -p= -P -g= -b -a -u= -x= -R= -M -f= -m= --user= --hosts= --host= --timeout= --inline"}, Why: "It runs a program on other machines."}},
		{Names: "nats", Network: true, Command: Command{Options: Options{Endpoint: "-s= --server= --context= --creds= --user= --password="}}, Commands: []Command{
			{Path: "stream ls, stream info, stream report, str ls, str info, kv ls, kv get, consumer ls, server info", Is: Network},
			{Path: "stream rm, stream delete, stream purge, str rm, str purge, kv del, kv purge, object del, pub, stream add, stream edit, consumer add, consumer rm", Is: Network, Options: Options{Change: "-f --force"}},
		}},
		{Names: "stripe", Network: true, Command: Command{Is: Network, Operands: "word*", Options: Options{Read: "--limit=", Change: "--confirm --live", Secret: "--api-key=", Send: "-d="}}},
		{Names: "celery", Command: Command{Is: Writer, Operands: "word*", Why: "It runs project code.", Options: Options{Read: "-A= --app= -f -Q= -l="}}},
		{Names: "VBoxManage vboxmanage", Style: GNU, Command: Command{Options: Options{Help: "-v"}}, Commands: []Command{
			{Path: "list, showvminfo", Is: Reader, Operands: "word*", Options: Options{Read: "-l --long --machinereadable"}},
			{Path: "unregistervm, closemedium, snapshot, controlvm, startvm, modifyvm, createvm", Is: Writer, Options: Options{Change: "--delete --delete-all"}},
		}},
		{Names: "vercel netlify heroku fly flyctl railway firebase wrangler supabase doctl linode-cli hcloud scw ibmcloud oci cf s3cmd b2 openstack nova neonctl planetscale pscale turso neon render koyeb northflank", Network: true, Command: Command{Options: Options{Help: "-h -v"}}, Commands: []Command{
			{Path: "list, ls, ps, status, logs, info, whoami, projects list, apps list, app list, version", Is: Network, Why: "It talks to a hosting service."},
			{Path: "run, run:detached, ssh, ssh console, console, exec, machine exec, ps:exec", Is: Remote, Operands: "shell*", Options: Options{Shell: "-C= --command=", Read: "-a= --app= -r= --region= -s= --service= -e= --environment= -p= --project= --size= --no-tty --exit-code --"}, Why: "It runs a program at a hosting service."},
			{Path: "d1 execute", Is: Database, Language: SQL, Operands: "word*", Options: Options{Code: "--command=", CodeFile: "--file=", Read: "--local --remote -y --yes --json --env= -e= --preview"}},
			{Path: "db shell", Is: Database, Language: SQL, Operands: "word code*", Options: Options{Endpoint: "--proxy= --location="}},
			{Path: "deploy, up, init, link, login, logout, dev, build, env, secrets, config, domains, open, scale, restart, publish, promote, rollback", Is: Network},
			{
				Path: hostedRemovals + ", pg:copy",
				Is:   Network, Options: Options{Change: "-f --force -y --yes --safe --recursive -r --all -a= --app= --confirm= --linked --dangerous"},
			},
		}},
	}
}

func cloudRules() []Rule {
	return []Rule{
		{
			ID: "cloud.aws-delete", Verdict: Deny,
			Why:     "This deletes data, machines, keys or a whole service of the account.",
			Instead: "describe it first, take a snapshot, and let a person delete it",
			When: []Match{
				{Program: "aws", Command: awsLasting},
				{Program: "aws", Command: "s3 rb"},
				{Program: "aws", Command: "s3 rm", Has: "--recursive"},
				{Program: "aws", Command: "s3 sync", Has: "--delete"},
				{Program: "aws", Command: "s3 mv", Has: "--recursive"},
			},
			Yes: []string{"aws s3 rb s3://b --force", "aws ec2 terminate-instances --instance-ids i-1", "aws s3 rm s3://b --recursive", "aws rds delete-db-instance --db-instance-identifier d", "aws dynamodb delete-table --table-name t", "aws secretsmanager delete-secret --secret-id s", "aws --profile prod kms schedule-key-deletion --key-id k"},
			No:  []string{"aws s3 rm s3://b/one.txt", "aws ec2 describe-instances", "aws s3 rm s3://b --recursive --dryrun", "aws s3 sync dist s3://b", "aws ec2 stop-instances --instance-ids i-1"},
		},
		{
			ID: "cloud.aws-file-parameter", Verdict: Undecided,
			Why:  "The value is read from a file or URL and sent to the service.",
			When: []Match{{Program: "aws", Command: awsReads, Has: awsFileParameters()}, {Program: "aws", Command: awsReads, Operand: "file://* fileb://* http://* https://*"}},
			Yes:  []string{"aws ec2 describe-instances --filters file://f.json", "aws iam get-role --role-name=http://example.com/r"},
			No:   []string{"aws ec2 describe-instances --filters Name=x,Values=y"},
		},
		{
			ID: "cloud.google-delete", Verdict: Deny,
			Why:     "This deletes a project, cluster, database, machine, key or bucket content.",
			Instead: "describe it first, export or snapshot it, and let a person delete it",
			When: []Match{
				{Program: "gcloud", Command: googleLasting},
				{Program: "gsutil", Command: "rm", Has: "-r|-R|-a"},
				{Program: "gsutil", Command: "rm", Operand: "gs://*/* gs://*\\**", Last: "*\\**"},
				{Program: "gsutil", Command: "rb"},
				{Program: "gsutil", Command: "rsync", Has: "-d"},
				{Program: "bq", Command: "rm"},
			},
			Yes: []string{"gcloud projects delete p --quiet", "gcloud sql instances delete main", "gsutil -m rm -r gs://b", "gsutil rb gs://b", "bq rm -r -f d", "gcloud compute instances delete vm-1 --zone=a", "gcloud container clusters delete c"},
			No:  []string{"gcloud compute instances list", "gsutil rm gs://b/one.txt", "gsutil ls gs://b", "gcloud compute instances stop vm-1"},
		},
		{
			ID: "cloud.azure-delete", Verdict: Deny,
			Why:     "This deletes a group, machine, database, cluster, key or storage of the subscription.",
			Instead: "az … show first, and let a person delete it",
			When: []Match{
				{Program: "az", Command: azureLasting},
			},
			Yes: []string{"az group delete -n rg --yes", "az vm delete -n v -g rg", "az aks delete --name c -g rg", "az keyvault secret delete --vault-name v -n s"},
			No:  []string{"az vm list", "az group show -n rg", "az vm stop -n v -g rg", "az webapp restart -n x -g rg"},
		},
		{
			ID: "cloud.other-host", Verdict: Undecided, Why: "It names the host that is asked, and a token is sent along.",
			When: []Match{
				{Program: "gh glab", Has: "-R=*/*/*|--repo=*/*/*|-R=*:*|--repo=*:*"},
				{Program: "gh glab", Operand: "*://*"},
			},
			Yes: []string{"gh pr list -R example.com/a/b", "gh pr view https://example.com/a/b/pull/1"}, No: []string{"gh pr list -R a/b", "gh pr view 12"},
		},
		{
			ID: "cloud.repository-delete", Verdict: Deny,
			Why:     "This deletes a repository at its host, with its issues and history.",
			Instead: "gh repo archive keeps it and can be undone",
			When: []Match{
				{Program: "gh", Command: "repo delete, project delete, codespace delete, issue delete"},
				{Program: "gh", Command: "cache delete", Has: "-a|--all"},
				{Program: "gh", Command: "api", Has: "-X=DELETE|--method=DELETE|-X=delete|--method=delete"},
				{Program: "glab", Command: "repo delete"},
			},
			Yes: []string{"gh repo delete o/r --yes", "gh api -X DELETE repos/o/r", "gh api repos/o/r --method=DELETE", "glab repo delete o/r"},
			No:  []string{"gh repo view o/r", "gh api repos/o/r", "gh pr close 1", "gh repo archive o/r"},
		},
		{
			ID: "cloud.release-delete", Verdict: Deny,
			Why:     "This deletes a published release that others may use.",
			Instead: "gh release edit --draft hides it",
			When:    []Match{{Program: "gh glab", Command: "release delete, release delete-asset"}},
			Yes:     []string{"gh release delete v1.0.0 --yes"},
			No:      []string{"gh release view v1.0.0", "gh release list"},
		},
		{
			ID: "cloud.destroy-infrastructure", Verdict: Deny,
			Why:     "This destroys infrastructure, or applies changes to it without anybody looking at the plan.",
			Instead: "terraform plan -destroy shows what would go; let a person apply it",
			When: []Match{
				{Program: "terraform tofu terragrunt", Command: "destroy, run-all destroy, destroy-all, apply-all"},
				{Program: "terraform tofu terragrunt", Command: "apply, run-all apply", Has: "-auto-approve|-destroy|-terragrunt-non-interactive|-non-interactive"},
				{Program: "pulumi", Command: "destroy, dn, down, stack rm"},
				{Program: "pulumi", Command: "up, update", Has: "-y|--yes|-f|--skip-preview"},
				{Program: "cdk sst serverless sls sam copilot eb amplify cdktf", Command: "destroy, remove, delete, app delete, env delete, svc delete, terminate"},
				{Program: "cdk", Command: "deploy", Has: "--require-approval=never"},
			},
			Yes: []string{"terraform destroy", "terraform apply -auto-approve", "terraform -chdir=infra destroy -auto-approve", "tofu apply --auto-approve", "pulumi destroy --yes", "pulumi up -y", "cdk destroy --all", "serverless remove"},
			No:  []string{"terraform plan -destroy", "terraform apply", "pulumi preview", "cdk diff", "grep 'terraform destroy' x"},
		},
		{
			ID: "cloud.state-remove", Verdict: Deny,
			Why:     "Infrastructure whose state is removed can no longer be managed or destroyed by the tool.",
			Instead: "terraform state mv, or a removed block in the configuration",
			When: []Match{
				{Program: "terraform tofu terragrunt", Command: "state rm, workspace delete"},
				{Program: "pulumi", Command: "state delete"},
			},
			Yes: []string{"terraform state rm aws_instance.web", "terraform workspace delete dev", "pulumi state delete urn"},
			No:  []string{"terraform state list", "terraform state rm -dry-run aws_instance.web", "terraform workspace list"},
		},
		{
			ID: "cloud.store-delete", Verdict: Deny,
			Why:     "This deletes stored data or backups at their remote place.",
			Instead: "the same command with --dry-run shows what would go",
			When: []Match{
				{Program: "rclone", Command: "purge, delete, rmdirs, cleanup, sync"},
				{Program: "restic borg duplicity kopia tarsnap rdiff-backup bup", Command: "forget, prune, delete, snapshot delete, remove-older-than, remove-all-but-n-full, remove-all-inc-of-but-n-full, cleanup, key remove, policy delete"},
				{Program: "vault", Command: "lease revoke", Has: "-prefix|-force"},
				{Program: "packer nomad consul vault boundary waypoint chef knife puppet salt salt-call salt-ssh", Command: "kv destroy, kv metadata delete, secrets disable, auth disable, namespace delete, kv delete, delete, destroy"},
			},
			Yes: []string{"rclone purge remote:b", "borg delete repo::a", "restic forget --keep-last 1 --prune", "vault kv metadata delete secret/x", "duplicity remove-all-but-n-full 1 file:///b --force", "vault lease revoke -prefix aws/"},
			No:  []string{"rclone ls remote:b", "restic snapshots", "rclone purge --dry-run remote:b", "borg list repo"},
		},
		{
			ID: "service.store-delete", Verdict: Deny,
			Why:     "This deletes queues, topics, keys or a machine with all that they hold.",
			Instead: "list it first, and let a person delete it",
			When: []Match{
				{Program: "etcdctl", Command: "del", Has: "--prefix|--from-key"},
				{Program: "rabbitmqctl rabbitmqadmin", Command: "reset, force_reset, delete_vhost, delete_queue, purge_queue, delete, purge"},
				{Program: "kafka-topics.sh kafka-topics", Has: "--delete"},
				{Program: "kafka-delete-records.sh kafka-delete-records"},
				{Program: "kafka-consumer-groups.sh kafka-consumer-groups", Has: "--delete"},
				{Program: "kafka-consumer-groups.sh kafka-consumer-groups", Has: "--reset-offsets --execute"},
				{Program: "nats", Command: "stream rm, stream delete, stream purge, str rm, str purge, kv del, kv purge, object del"},
				{Program: "stripe", Operand: "delete"},
				{Program: "celery", Operand: "purge"},
				{Program: "fastboot", Operand: "erase format"},
				{Program: "fastboot", Has: "-w"},
				{Program: "wsl", Has: "--unregister"},
				{Program: "influx", First: "delete"},
				{Program: "influx", First: "bucket", Operand: "delete"},
				{Program: "VBoxManage vboxmanage", Command: "unregistervm, closemedium", Has: "--delete|--delete-all"},
				{Program: "nomad", Command: "job stop", Has: "-purge"},
			},
			Yes: []string{"etcdctl del '' --prefix", "rabbitmqctl reset", "kafka-topics.sh --delete --topic t --bootstrap-server b:9092", "celery -A app purge -f", "VBoxManage unregistervm dev --delete", "nomad job stop -purge web", "wsl --unregister Ubuntu", "nats stream purge orders -f", "kafka-consumer-groups --delete --group g --bootstrap-server b:9092", "stripe customers delete cus_1", "influx delete --bucket b --start 1970-01-01T00:00:00Z", "fastboot erase userdata"},
			No:  []string{"etcdctl get a", "etcdctl del a", "rabbitmqctl status", "kafka-topics.sh --list --bootstrap-server b:9092", "celery -A app worker", "VBoxManage list vms", "nomad job stop web"},
		},
		{
			ID: "cloud.host-delete", Verdict: Deny,
			Why:     "This deletes a project, application, database or volume at a hosting service.",
			Instead: "list it first, and let a person delete it",
			When: []Match{{
				Program: "vercel netlify heroku fly flyctl railway firebase wrangler supabase doctl linode-cli hcloud scw ibmcloud oci cf s3cmd b2 openstack nova neonctl planetscale pscale turso neon render koyeb northflank",
				Command: hostedRemovals,
			}},
			Yes: []string{"heroku apps:destroy -a x --confirm x", "supabase db reset --linked", "fly apps destroy x", "doctl compute droplet delete 1 -f", "vercel rm app --yes", "heroku pg:reset", "railway down -y", "railway volume delete", "neon branches delete main", "fly ssh console -C 'fly apps destroy x'"},
			No:  []string{"heroku ps", "vercel list", "fly status"},
		},
	}
}
