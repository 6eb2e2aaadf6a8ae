package l0

import "strings"

// Cloud and code-host clients. Listing and describing read with the client's own login; an option that names another
// endpoint, account, profile or credential file makes a command no reader, and so does a verb that prints secrets.
// Verbs as in docs.aws.amazon.com/cli, cloud.google.com/sdk/gcloud/reference, learn.microsoft.com/cli/azure, cli.github.com/manual.

// awsRead are the parameters of reading operations whose values only select.
const awsRead = "--region= --output= --query= --no-cli-pager --no-paginate --color= --max-items= --page-size= --starting-token= --next-token= --max-results= --limit= --cli-read-timeout= " +
	"--cli-connect-timeout= --no-cli-auto-prompt --dry-run --no-dry-run --filters= --filter= --names= --name= --instance-ids= --instance-id= --image-ids= --owners= --volume-ids= --snapshot-ids= --vpc-ids= --subnet-ids= " +
	"--group-ids= --group-names= --stack-name= --stack-status-filter= --cluster= --clusters= --cluster-name= --services= --service= --service-name= --tasks= --task-definition= --function-name= --bucket= --prefix= " +
	"--delimiter= --key= --log-group-name= --log-group-name-prefix= --log-group-names= --log-stream-name= --log-stream-name-prefix= --log-stream-names= --start-time= --end-time= --filter-pattern= --descending --order-by= --db-instance-identifier= " +
	"--db-cluster-identifier= --table-name= --role-name= --user-name= --group-name= --policy-arn= --policy-name= --version-id= --hosted-zone-id= --distribution-id= --id= --ids= --arn= --resource-arn= --resource-id= " +
	"--load-balancer-arns= --load-balancer-arn= --target-group-arn= --target-group-arns= --listener-arn= --listener-arns= --queue-url= --topic-arn= --repository-name= --repository-names= --image-id= --namespace= " +
	"--metric-name= --dimensions= --statistics= --period= --alarm-names= --state-value= --nodegroup-name= --auto-scaling-group-names= --desired-status= --launch-type= --family-prefix= --status= --include= --no-include-* --all-regions " +
	"--pipeline-name= --project-name= --build-id= --execution-arn= --state-machine-arn= --rule= --event-bus-name= --certificate-arn= --rest-api-id= --api-id= --stage-name= --time-period= --granularity= --metrics= --group-by="

// awsLasting are the operations that delete data, machines, keys or whole services.
const awsLasting = "* terminate-*, * purge-*, * schedule-key-deletion, * close-account, " +
	"* delete-bucket*, * delete-db-*, * delete-table, * delete-stack*, * delete-cluster*, * delete-file-system, * delete-volume, * delete-snapshot*, * delete-vpc, * delete-user, * delete-role, * delete-key*, * delete-secret, " +
	"* delete-hosted-zone, * delete-repository, * delete-function, * delete-log-group, * delete-domain*, * delete-objects, * delete-object*, * delete-account*, * delete-backup*, * delete-recovery-point, * delete-vault, * delete-queue, * delete-topic, * delete-service, " +
	"* delete-project, * delete-pipeline, * delete-user-pool, * delete-distribution, * delete-trail, * delete-organization, * delete-global-*, * delete-replication-*, * delete-cache-*, * delete-environment*, * delete-application*, * delete-rest-api, * delete-nodegroup, * delete-file, * delete-parameter*, * delete-image, * batch-delete-*, * delete-launch-*, * delete-auto-scaling-group, * delete-load-balancer"

// awsReads are the operations that list and describe.
const awsReads = "* describe-*, * list-*, ec2 get-*, iam get-*, cloudwatch get-*, ce get-*, logs get-*, cloudformation get-*, route53 get-*, cloudfront get-*, elbv2 get-*, sqs get-*, sns get-*, dynamodb get-*, " +
	"stepfunctions get-*, organizations get-*, budgets get-*, acm get-*, backup get-*, xray get-*, athena get-*, glue get-*"

// googleLasting and azureLasting are the same for the other two.
const (
	googleLasting = "projects delete, sql instances delete, sql databases delete, sql backups delete, sql users delete, compute instances delete, compute disks delete, compute snapshots delete, compute networks delete, compute images delete, compute instance-groups * delete, container clusters delete, container node-pools delete, container images delete, iam service-accounts delete, iam service-accounts keys delete, kms keys versions destroy, secrets delete, secrets versions destroy, storage rm, storage buckets delete, functions delete, run services delete, app services delete, app versions delete, dns managed-zones delete, firestore databases delete, spanner instances delete, spanner databases delete, bigtable instances delete, redis instances delete, pubsub topics delete, pubsub subscriptions delete, artifacts repositories delete, filestore instances delete, dataproc clusters delete, organizations delete, source repos delete, logging logs delete"
	azureLasting  = "group delete, vm delete, vmss delete, disk delete, snapshot delete, aks delete, acr delete, acr repository delete, sql db delete, sql server delete, mysql * delete, postgres * delete, cosmosdb delete, cosmosdb * delete, cosmosdb * * delete, storage account delete, storage container delete, storage blob delete-batch, storage share delete, keyvault delete, keyvault purge, keyvault * delete, keyvault * purge, keyvault secret delete, keyvault secret purge, keyvault key delete, keyvault certificate delete, webapp delete, functionapp delete, appservice plan delete, network vnet delete, network dns zone delete, ad app delete, ad sp delete, ad user delete, redis delete, servicebus namespace delete, eventhubs namespace delete, backup * delete, repos delete, devops project delete, containerapp delete, iot hub delete, resource delete, account clear"
)

func cloud() Domain {
	programs := []Program{awsClient()}
	for _, list := range [][]Program{googleClients(), azureClients(), codeHosts(), infrastructure()} {
		programs = append(programs, list...)
	}
	return Domain{Name: "cloud", Programs: programs, Rules: cloudRules()}
}

func awsClient() Program {
	secrets := "secretsmanager get-*, secretsmanager batch-get-*, ssm get-parameter*, sts get-session-token, sts get-federation-token, sts assume-role*, ecr get-login*, ecr get-authorization-token, ecr-public get-login-password, " +
		"eks get-token, codeartifact get-authorization-token, cognito-idp describe-user-pool-client, iam create-access-key, iam get-login-profile, rds generate-db-auth-token, " +
		"ec2 get-password-data, ec2 describe-instance-attribute, sso get-role-credentials, cognito-identity get-*, kms get-*, apigateway get-api-key*, lightsail get-*, configure export-credentials, configure get, redshift get-cluster-credentials*, appsync list-api-keys, codebuild batch-get-projects, amplify get-*, elasticbeanstalk describe-configuration-settings"
	download := "s3api get-object*, glacier get-job-output, apigateway get-export, apigateway get-sdk, lambda invoke, kinesisvideo get-*, mediastore-data get-object, medialive get-*, polly *, codecommit get-*, s3api select-object-content"
	return Program{
		Names: "aws", GlobalsAnywhere: true, Network: true,
		Command: Command{Options: Options{
			Read:     awsRead,
			Endpoint: "--endpoint-url= --profile= --ca-bundle= --no-sign-request --no-verify-ssl",
			Config:   "--cli-input-json= --cli-input-yaml= --cli-binary-format=",
			Secret:   "--with-decryption --debug",
		}},
		Commands: []Command{
			{Path: "s3 ls", Is: Reader, Operands: "word*", Options: Options{Read: "--recursive --human-readable --summarize --request-payer?"}},
			{Path: "sts get-caller-identity, configure list, configure list-profiles", Is: Reader, Operands: "-"},
			{Path: "s3api list-*, s3api head-*, s3api get-bucket-*", Is: Reader, Operands: "-"},
			{Path: secrets, Is: Secrets, Why: "The answer can contain secrets."},
			{Path: download, Is: Writer, Why: "It writes what it gets into a file."},
			{Path: "logs tail", Is: Reader, Operands: "word", Options: Options{Read: "--follow --since= --format= --filter-pattern="}},
			{Path: awsReads, Is: Reader, Operands: "word*", Options: Options{Read: awsRead}},
			{Path: "logs filter-log-events, dynamodb scan, dynamodb query", Is: Secrets, Why: "It prints stored data."},
			{Path: "s3 cp, s3 mv, s3 sync", Is: Network, Operands: "file write", Options: Options{
				DryRun: "--dryrun", Read: "--recursive --exclude= --include= --quiet --only-show-errors --acl= --storage-class= --content-type= --cache-control= --sse? --size-only --exact-timestamps --no-progress --metadata=",
				Change: "--delete --force-glacier-transfer",
			}},
			{Path: "s3 rm", Is: Network, Options: Options{DryRun: "--dryrun", Change: "--recursive", Read: "--exclude= --include= --quiet --only-show-errors"}},
			{Path: "s3 rb", Is: Network, Options: Options{Change: "--force"}},
			{Path: "s3 mb, s3 presign, s3 website", Is: Network},
			{Path: "configure, configure set, configure sso, configure import, sso login, sso logout, login, logout", Is: Interactive, Why: "It changes the client's login."},
			{Path: "ssm start-session, ecs execute-command, ec2-instance-connect ssh", Is: Remote, Why: "It opens a shell on another machine."},
			{Path: "ssm send-command", Is: Remote, Why: "It runs a command on other machines."},
			{Path: awsLasting, Is: Network, Options: Options{Change: "--force --force-delete-without-recovery --skip-final-snapshot --delete-automated-backups"}},
			{
				Path: "* delete-*, * deregister-*, * remove-*, * disable-*, * reset-*, * empty-*, * revoke-*, * destroy-*",
				Is:   Network, Options: Options{Change: "--force --force-delete-without-recovery --skip-final-snapshot --delete-automated-backups"}, Why: "It deletes something in the account.",
			},
		},
	}
}

func googleClients() []Program {
	shared := Options{
		Read:     "--format= --filter= --limit= --sort-by= --page-size= --uri --quiet -q --verbosity= --project= --zone= --zones= --region= --regions= --location= --global --flatten= --no-user-output-enabled --user-output-enabled? --organization= --folder= --cluster= --instance= --service= --platform= --namespace= --freshness= --order= --database= --dataset= --async",
		Endpoint: "--account= --configuration= --impersonate-service-account= --access-token-file= --billing-project=",
		Config:   "--flags-file=",
		Secret:   "--log-http",
		Help:     "--version -h",
	}
	return []Program{
		{Names: "gcloud", GlobalsAnywhere: true, Network: true, Command: Command{Options: shared}, Commands: []Command{
			{Path: googleLasting, Is: Network},
			{
				Path: "auth print-access-token, auth print-identity-token, auth application-default print-access-token, secrets versions access, secrets versions list, iam service-accounts keys list, sql users list, config-helper, config config-helper, compute instances get-serial-port-output, container clusters get-credentials, kms decrypt, kms keys versions get-public-key",
				Is:   Secrets, Why: "The answer can contain secrets, or credentials are written.",
			},
			{Path: "* list, * * list, * * * list, * * * * list, * describe, * * describe, * * * describe, * * * * describe", Is: Reader, Operands: "word*"},
			{Path: "info, version, config get-value, config get, help, components list, topic", Is: Reader, Operands: "word*"},
			{Path: "logging read, compute os-login describe-profile, projects get-iam-policy, * get-iam-policy, * * get-iam-policy", Is: Reader, Operands: "word*"},
			{Path: "beta *, alpha *", Is: Network},
			{Path: "compute ssh, compute scp, compute start-iap-tunnel, cloud-shell", Is: Remote, Why: "It opens a shell or tunnel to another machine."},
			{Path: "auth login, auth revoke, auth activate-service-account, config set, config unset, config configurations, init, components install, components update", Is: Interactive, Why: "It changes the client's login or settings."},
			{Path: "* delete, * * delete, * * * delete, * * * * delete, * * destroy, * * * destroy, * * reset", Is: Network, Why: "It deletes something in the project."},
			{Path: "* create, * * create, * * * create, * update, * * update, * * * update, * deploy, * * deploy, * * start, * * stop, * * resize, builds submit, app deploy, * * add-*, * * set-*, * * remove-*", Is: Network},
		}},
		{Names: "gsutil", GlobalsAnywhere: true, Network: true, Command: Command{Options: Options{Read: "-m -q -D", Config: "-o= -h= -i= -u=", Help: "--version"}}, Commands: []Command{
			{Path: "ls, du, stat, version, help", Is: Reader, Operands: "word*", Options: Options{Read: "-l -L -r -R -a -b -h -s -c -d -e= -p="}},
			{Path: "cat", Is: Network},
			{Path: "cp, mv", Is: Network, Operands: "file write", Options: Options{Read: "-r -R -n -z= -c -e -p"}},
			{Path: "rsync", Is: Network, Operands: "file write", Options: Options{DryRun: "-n", Read: "-r -R -x= -c", Change: "-d"}},
			{Path: "rm", Is: Network, Options: Options{Change: "-r -R -a -f -I"}},
			{Path: "rb", Is: Network, Options: Options{Change: "-f"}},
			{Path: "mb, acl, iam, config, defacl, web, signurl, setmeta, versioning, lifecycle, cors, notification, rewrite, kms, retention", Is: Network},
		}},
		{Names: "bq", GlobalsAnywhere: true, Network: true, Command: Command{Options: Options{Read: "--format= --project_id= --dataset_id= --location= -n= --max_results= --headless --quiet -q", Config: "--bigqueryrc= --flagfile=", Endpoint: "--api=", Help: "--version"}, Language: SQL}, Commands: []Command{
			{Path: "ls, show, version, help", Is: Reader, Operands: "word*", Options: Options{Read: "-a --schema -j -d"}},
			{Path: "query", Is: Database, Operands: "code*", Language: SQL, Options: Options{DryRun: "--dry_run", Read: "--use_legacy_sql? --nouse_legacy_sql"}},
			{Path: "rm", Is: Network, Options: Options{Change: "-r --recursive -f --force -t -d -m"}},
			{Path: "mk, cp, load, extract, update, head, insert, cancel", Is: Network},
		}},
	}
}

func azureClients() []Program {
	return []Program{
		{Names: "az", GlobalsAnywhere: true, Network: true, Command: Command{Options: Options{
			Read:     "-o= --output= --query= -g= --resource-group= -n= --name= --only-show-errors --verbose --ids= -l= --location= --show-details -d --all --expand= --top= --namespace= --vault-name= --server= --cluster-name= --registry= --repository= --workspace-name= --organization= --org= --project= --status=",
			Endpoint: "--subscription= --account-name= --account-key= --connection-string= --sas-token= --auth-mode=",
			Secret:   "--debug",
			Help:     "--version -h -v",
		}}, Commands: []Command{
			{Path: azureLasting, Is: Network},
			{
				Path: "account get-access-token, keyvault secret *, keyvault key *, keyvault certificate *, storage account keys *, storage account show-connection-string, * * keys *, * * * keys *, * keys list, * * list-keys, * list-keys, cosmosdb keys *, acr credential *, ad sp credential *, ad app credential *, webapp config appsettings *, functionapp config appsettings *, webapp deployment list-publishing-*, aks get-credentials, redis list-keys, * connection-string *, * * connection-string *, * * show-connection-string, * * generate-sas, containerapp secret *, containerapp env *",
				Is:   Secrets, Why: "The answer can contain secrets, or credentials are written.",
			},
			{Path: "* list, * * list, * * * list, * show, * * show, * * * show, version, * list-sizes, * list-skus, * list-locations, * get-versions, group exists, monitor activity-log list, * * list-usage", Is: Reader, Operands: "word*"},
			{Path: "rest", Is: Network, Why: "It makes a raw request."},
			{Path: "login, logout, account set, configure, cloud set, init, interactive, extension, config", Is: Interactive, Why: "It changes the client's login or settings."},
			{Path: "ssh, vm run-command, aks command, container exec, webapp ssh, containerapp exec", Is: Remote},
			{Path: "* delete, * * delete, * * * delete, * purge, * * purge, * * delete-batch, * delete-batch", Is: Network, Options: Options{Change: "-y --yes --no-wait --force-string --purge-data-disks"}, Why: "It deletes something in the subscription."},
			{Path: "* create, * * create, * * * create, * update, * * update, * start, * stop, * restart, * deallocate, * scale, * * upload, * * upload-batch, * * download, * up, acr build, acr login, deployment *", Is: Network},
		}},
	}
}

func codeHosts() []Program {
	view := "-R= --repo= --json= -t= --template= -L= --limit= -s= --state= -l= --label= -a= --assignee= -A= --author= -S= --search= -m= --milestone= -c --comments -B= --base= -H= --head= -d --draft --app= --mention= --user= -u= --workflow= -b= --branch= -e= --event= --status= --created= --commit= -j= --job= --log --log-failed -v --verbose --exit-status -a= --attempt= " +
		"--name-only --patch --color= --required --watch? -i= --interval= --fail-fast --exclude-drafts --exclude-pre-releases -O= --order= --all --archived --no-archived --fork --source --language= --topic= --visibility= -y --yaml -r= --ref= --conflict-status"
	return []Program{
		{Names: "gh", GlobalsAnywhere: true, Network: true, Language: JQ, Command: Command{Options: Options{Help: "--version -h"}}, Commands: []Command{
			{
				Path: "pr list, pr ls, pr view, pr diff, pr checks, pr status, issue list, issue ls, issue view, issue status, run view, run watch, workflow list, workflow ls, workflow view, release list, release ls, release view, repo view, repo list, repo ls, label list, label ls, gist list, project list, project view, cache list, cache ls, ruleset list, ruleset view, ruleset check, org list, milestone list, status, alias list, extension list, config list, config get",
				Is:   Reader, Operands: "word*", Options: Options{Read: view, Code: "-q= --jq=", Interact: "-w --web"},
			},
			{Path: "run list, run ls", Is: Reader, Operands: "word*", Options: Options{Read: view + " -w=", Code: "-q= --jq="}},
			{Path: "search code, search issues, search prs, search repos, search commits", Is: Reader, Operands: "word*", Options: Options{
				Read: view + " --owner= --language= --label= --sort= --order= --match= --extension= --filename= --visibility= --archived? --merged? --draft? --review= --checks= --assignee= --mentions= --commenter= --involves= --created= --updated= --closed= --merged-at= --head= --base= --stars= --topic= --license= --forks= --followers= --good-first-issues= --include-prs --include-forks= --size= --hash= --author-date= --author-name= --author-email= --committer= --committer-date= --parent= --tree= --no-assignee --no-label --no-milestone --no-project --locked --milestone= --project= --app= --review-requested= --reviewed-by= --user=",
				Code: "-q= --jq=", Interact: "-w --web",
			}},
			{Path: "auth status", Is: Reader, Operands: "-", Options: Options{Read: "-a --active", Secret: "-t --show-token", Endpoint: "-h= --hostname="}},
			{Path: "version, help", Is: Reader, Operands: "word*"},
			{Path: "auth token, secret list, secret ls, secret set, secret delete, ssh-key list, gpg-key list, variable list, variable get", Is: Secrets},
			{Path: "api", Is: Network, Why: "It makes a raw request.", Options: Options{Code: "-q= --jq=", Read: "-X= --method= -H= --header= -t= --template= --paginate -i --include --silent --slurp -p= --preview= --cache=", Send: "-f= --raw-field= -F= --field= --input=", Endpoint: "--hostname="}},
			{Path: "repo delete, repo archive, repo edit, repo rename, release delete, release delete-asset, run delete, cache delete, issue delete, label delete, gist delete, project delete, codespace delete, repo deploy-key, pr close, issue close, run cancel, workflow disable", Is: Network, Options: Options{Change: "-y --yes --confirm --cleanup-tag -d --delete-branch -a --all"}},
			{
				Path: "pr create, pr merge, pr edit, pr comment, pr review, pr ready, pr reopen, pr checkout, pr update-branch, issue create, issue edit, issue comment, issue reopen, release create, release edit, release upload, release download, repo create, repo clone, repo fork, repo sync, run rerun, run download, workflow run, workflow enable, gist create, gist edit, gist view, gist clone, label create, label edit, label clone, browse, variable set, variable delete, project create, project edit, project item-add, cache, extension install, extension remove, extension upgrade, attestation, copilot, codespace create, codespace list",
				Is:   Network,
			},
			{Path: "auth login, auth logout, auth refresh, auth setup-git, auth switch, config set, alias set, alias delete, alias import", Is: Interactive, Why: "It changes the client's login or settings."},
			{Path: "codespace ssh, cs ssh", Is: Remote},
		}},
		{Names: "glab", GlobalsAnywhere: true, Network: true, Command: Command{Options: Options{Help: "--version -h -v"}}, Commands: []Command{
			{Path: "mr list, mr view, mr diff, mr issues, issue list, issue view, ci list, ci get, ci status, ci trace, ci lint, pipeline list, release list, release view, repo view, label list", Is: Reader, Operands: "word*", Options: Options{Read: "-R= --repo= -F= --output= -c --comments -P= --per-page= -p= --page= -a= --assignee= --author= -l= --label= -s= --search= -A --all -b= --branch=", Interact: "-w --web"}},
			{Path: "api", Is: Network, Why: "It makes a raw request."},
			{Path: "repo delete, mr delete, issue delete, release delete, ci delete", Is: Network},
			{Path: "mr create, mr merge, mr update, mr note, issue create, issue update, release create, repo clone, repo create, ci run, ci retry, variable, auth, config", Is: Network},
		}},
	}
}

// awsFileParameters makes a condition that one of the reading parameters has a value AWS reads from a file or URL.
func awsFileParameters() string {
	var alternatives []string
	for _, option := range strings.Fields(awsRead) {
		if strings.HasSuffix(option, "=") {
			alternatives = append(alternatives, option+"file://*", option+"fileb://*", option+"http*://*")
		}
	}
	return strings.Join(alternatives, "|")
}
