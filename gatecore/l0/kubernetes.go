package l0

// Cluster clients. Options as in kubernetes.io/docs/reference/kubectl and helm.sh/docs/helm.

const (
	kubeOutput = "-o= --output= -l= --selector= --field-selector= -A --all-namespaces --no-headers --show-labels --show-kind --sort-by= -L= --label-columns= " +
		"-w --watch --watch-only --chunk-size= --ignore-not-found? --template= --show-managed-fields --subresource= --output-watch-events --server-print? --allow-missing-template-keys?"
	kubeEndpoint = "--context= --cluster= --user= --kubeconfig= -s= --server= --token= --as= --as-group= --as-uid= --certificate-authority= --client-certificate= --client-key= " +
		"--insecure-skip-tls-verify? --tls-server-name= --username= --password="
	helmEndpoint = "--kube-context= --kubeconfig= --kube-apiserver= --kube-token= --kube-as-user= --kube-as-group= --kube-ca-file= --kube-insecure-skip-tls-verify --kube-tls-server-name="
)

// kubeSecrets are operands that select secret objects, alone or in a list.
const kubeSecrets = "secret secrets secret/* secrets/* *,secret *,secrets *,secret,* *,secrets,* secret,* secrets,* secret.* secrets.* sealedsecret* externalsecret*"

func kubernetes() Domain {
	return Domain{
		Name:     "kubernetes",
		Programs: []Program{kubectl(), helm(), {Names: "kustomize", Command: Command{Is: Writer, Options: Options{Help: "-h"}, Why: "kustomize may fetch remote bases and run plugins."}}, kubeSwitch(), k9s()},
		Rules:    kubernetesRules(),
	}
}

func kubectl() Program {
	return Program{
		Names: "kubectl oc k3s-kubectl microk8s.kubectl", GlobalsAnywhere: true,
		Command: Command{Options: Options{
			Read:     "-n= --namespace= -v= --v= --request-timeout= --warnings-as-errors --match-server-version",
			Endpoint: kubeEndpoint,
			Config:   "--cache-dir= --profile= --profile-output= --kuberc=",
			Help:     "-h",
		}},
		Commands: []Command{
			{Path: "get", Is: Reader, Operands: "word+", Options: Options{Read: kubeOutput, Endpoint: "--raw= -f= --filename= -k= --kustomize= -R"}},
			{Path: "get secret, get secrets, describe secret, describe secrets", Is: Secrets, Operands: "word*", Options: Options{Read: kubeOutput + " --show-events?"}, Why: "It reads secret objects of the cluster.", Instead: "ask a person for the value"},
			{Path: "describe", Is: Reader, Operands: "word+", Options: Options{Read: "-l= --selector= -A --all-namespaces --show-events? --chunk-size=", Endpoint: "-f= --filename="}},
			{Path: "logs", Is: Reader, Operands: "word*", Options: Options{Read: "-f --follow --tail= --since= --since-time= -c= --container= --all-containers? --timestamps? -p --previous -l= --selector= --prefix? --max-log-requests= --limit-bytes= --pod-running-timeout= --ignore-errors --all-pods?"}},
			{Path: "top pod, top pods, top po, top node, top nodes, top no", Is: Reader, Operands: "word*", Options: Options{Read: "-A --all-namespaces --containers -l= --selector= --sort-by= --no-headers --sum --use-protocol-buffers"}},
			{Path: "version", Is: Reader, Operands: "-", Options: Options{Read: "--client? --short -o= --output="}},
			{Path: "explain, api-resources, api-versions, cluster-info", Is: Reader, Operands: "word?", Options: Options{Read: "--recursive --api-version= --output= -o= --namespaced? --verbs= --api-group= --no-headers --sort-by= --cached --categories="}},
			{Path: "events", Is: Reader, Operands: "-", Options: Options{Read: "-A --all-namespaces --for= --types= -w --watch -o= --output= --no-headers"}},
			{Path: "rollout status, rollout history", Is: Reader, Operands: "word+", Options: Options{Read: "-w --watch? --timeout= --revision= -o= --output=", Endpoint: "-f= --filename="}},
			{Path: "auth can-i, auth whoami", Is: Reader, Operands: "word*", Options: Options{Read: "--list -A --all-namespaces --no-headers -q --quiet --subresource= -o= --output="}},
			{Path: "config view", Is: Reader, Operands: "-", Options: Options{Read: "--minify? -o= --output= --flatten?", Secret: "--raw?"}},
			{Path: "config current-context, config get-contexts, config get-clusters, config get-users", Is: Reader, Operands: "word*", Options: Options{Read: "-o= --output= --no-headers"}},
			{Path: "wait", Is: Reader, Operands: "word+", Options: Options{Read: "--for= --timeout= -l= --selector= --all -A --all-namespaces -o= --output=", Endpoint: "-f= --filename="}},
			{Path: "plugin list, help, options", Is: Reader, Operands: "word*"},
			{Path: "cluster-info dump", Is: Secrets, Why: "It dumps the state of the cluster, logs included.", Options: Options{Write: "--output-directory="}},
			{Path: "diff", Is: Writer, Why: "It runs the diff program that KUBECTL_EXTERNAL_DIFF names."},
			{Path: "kustomize", Is: Network},
			{Path: "config use-context, config set-context, config set-cluster, config set-credentials, config set, config unset, config delete-context, config delete-cluster, config delete-user, config rename-context", Is: Writer, Why: "It changes which cluster later commands reach."},
			{
				Path: "apply, create, edit, patch, label, annotate, expose, run, scale, autoscale, set, cordon, uncordon, taint, certificate, rollout restart, rollout undo, rollout pause, rollout resume, cp, debug, new-app, project, start-build, adm",
				Is:   Writer, Why: "It changes the cluster.", Options: Options{
					DryRun: "--dry-run?", Change: "--force --prune --all --overwrite -y", File: "-f= --filename= --from-file= --from-env-file=",
					Read: "-R --recursive -o= --output= --image= --replicas= --port= --from-literal= --server-side? --validate? --field-manager= --selector= -l= --schedule= --class= --rule= --resource= --verb= --type= --tcp= --target-port= --save-config? --record?",
				},
			},
			{Path: "replace", Is: Writer, Options: Options{DryRun: "--dry-run?", Change: "--force"}, Why: "It replaces objects of the cluster."},
			{Path: "delete", Is: Writer, Options: Options{
				DryRun: "--dry-run?", Read: "--grace-period= --wait? --now -l= --selector= --field-selector= --timeout= -o= --output= --ignore-not-found? -i --interactive --cascade?",
				Change: "--all -A --all-namespaces --force", File: "-f= --filename= -k= --kustomize= -R --recursive --raw=",
			}, Why: "It deletes objects of the cluster."},
			{Path: "drain", Is: Writer, Options: Options{DryRun: "--dry-run?", Change: "--ignore-daemonsets? --delete-emptydir-data --force --disable-eviction"}},
			{Path: "exec, rsh", Is: Remote, Operands: "word cmd", Options: Options{Read: "-i --stdin -t --tty -it -c= --container= -q --quiet --pod-running-timeout=", File: "-f= --filename="}, Why: "It runs a program inside a pod."},
			{Path: "port-forward, proxy, attach", Is: Network, Why: "It opens a connection into the cluster."},
			{Path: "create token, whoami, login, serviceaccounts get-token", Is: Secrets},
		},
	}
}

func helm() Program {
	return Program{
		Names: "helm", GlobalsAnywhere: true,
		Command: Command{Options: Options{
			Read: "-n= --namespace= --debug", Endpoint: helmEndpoint, Config: "--repository-cache= --repository-config= --registry-config= --burst-limit= --qps=", Help: "-h",
		}},
		Commands: []Command{
			{Path: "list, ls", Is: Reader, Operands: "-", Options: Options{Read: "-A --all-namespaces -a --all -o= --output= -f= --filter= -q --short -d --date -r --reverse -l= --selector= -m= --max= --deployed --failed --pending --superseded --uninstalled --time-format= --no-headers --offset="}},
			{Path: "status, history, hist, get notes, get metadata", Is: Reader, Operands: "word+", Options: Options{Read: "-o= --output= --revision= --max= --show-desc --show-resources --template="}},
			{Path: "get all, get values, get manifest, get hooks", Is: Secrets, Why: "Values and manifests of a release may hold secrets."},
			{Path: "version, env, repo list, plugin list, dependency list, dep list, help", Is: Reader, Operands: "word*", Options: Options{Read: "--short --template= -o= --output= --client -c"}},
			{Path: "search repo", Is: Reader, Operands: "word*", Options: Options{Read: "-l --versions --devel --version= -r --regexp -o= --output= --max-col-width= --fail-on-no-result"}},
			{Path: "lint", Is: Reader, Operands: "name*", Options: Options{Read: "--strict --quiet --with-subcharts --set= --set-string= --kube-version=", Config: "-f= --values= --set-file="}},
			{Path: "template, show, inspect, search, pull, fetch, verify, dependency, dep, repo, registry, push, package, create, plugin", Is: Network, Why: "It may fetch charts or run plugins."},
			{Path: "install, upgrade, rollback, test", Is: Writer, Options: Options{DryRun: "--dry-run?", Change: "-i --install --force --atomic --wait"}, Why: "It changes a release."},
			{Path: "uninstall, delete, del, un", Is: Writer, Options: Options{DryRun: "--dry-run", Change: "--keep-history --wait --no-hooks --cascade="}},
		},
	}
}

func kubeSwitch() Program {
	return Program{Names: "kubectx kubens", Command: Command{
		Is: Reader, Operands: "-", Options: Options{Read: "-c --current", Change: "-d= -u --unset", Help: "-h"},
		Why: "It changes which cluster or namespace later commands reach.",
	}}
}

func k9s() Program {
	return Program{Names: "stern flux argocd istioctl linkerd cilium velero eksctl kops kubeadm rancher", Command: Command{Options: Options{Help: "-h"}}, Commands: []Command{
		{Path: "version", Is: Reader, Operands: "-", Options: Options{Read: "--client --short"}},
		{Path: "delete, app delete, delete cluster, delete nodegroup, backup delete, uninstall, reset, uninstall --purge", Is: Writer, Options: Options{DryRun: "--dry-run", Change: "--all -f --force -y --yes --confirm --purge -s"}},
		{Path: "get, list, status, app list, app get, app diff, create, apply, reconcile, suspend, resume, app sync, upgrade, init, join, install, restore, backup", Is: Network},
	}}
}

func kubernetesRules() []Rule {
	const clients = "kubectl oc k3s-kubectl microk8s.kubectl"
	return []Rule{
		{
			ID: "kubernetes.chart-url", Verdict: Undecided, Why: "It fetches the chart it is given.",
			When: []Match{{Program: "helm", Command: "install, upgrade, lint", Operand: "*://*"}},
			Yes:  []string{"helm install x oci://example.com/x --dry-run"}, No: []string{"helm upgrade x ./chart --dry-run"},
		},
		{
			ID: "kubernetes.url", Verdict: Undecided, Why: "It fetches the manifest it is given.",
			When: []Match{{Program: clients, Has: "-f=*://*|--filename=*://*"}},
			Yes:  []string{"kubectl apply -f https://example.com/x.yaml --dry-run=client"}, No: []string{"kubectl apply -f x.yaml --dry-run=client"},
		},
		{
			ID: "kubernetes.delete-lasting", Verdict: Deny,
			Why:     "Deleting a namespace, node, custom resource definition or volume deletes all that depends on it, data included.",
			Instead: "kubectl get all -n NAMESPACE, then delete single replaceable objects",
			When: []Match{{
				Program: clients, Command: "delete",
				First: "ns ns/* ns,* namespace namespaces namespace/* namespaces/* namespace,* project project/* no nodes node no/* node/* nodes/* crd crds crd/* crds/* customresourcedefinition* " +
					"pv pv/* persistentvolume* pvc pvc/* pvc,* *,pvc *,ns *,pv *,namespace cluster* statefulset statefulsets statefulset/* sts sts/* storageclass* sc/* secret secrets secret/* secrets/*",
			}},
			Yes: []string{"kubectl delete ns staging", "kubectl delete namespace/prod", "kubectl -n web delete pvc data-0", "kubectl delete node n1 --force", "oc delete project x", "kubectl delete crd things.example.com"},
			No:  []string{"kubectl delete pod web-0", "kubectl delete ns x --dry-run=client", "kubectl get ns", "kubectl delete deploy ns"},
		},
		{
			ID: "kubernetes.delete-all", Verdict: Deny,
			Why:     "This deletes every object of a kind.",
			Instead: "name the object, or first list what a selector finds with kubectl get -l",
			When: []Match{
				{Program: clients, Command: "delete", Has: "--all|-A|--all-namespaces"},
				{Program: clients, Command: "delete", First: "all"},
			},
			Yes: []string{"kubectl delete pods --all", "kubectl delete deploy --all -n web", "kubectl delete pod -l app=x -A", "kubectl delete all -l app=x"},
			No:  []string{"kubectl delete pod web-0", "kubectl get pods --all-namespaces"},
		},
		{
			ID: "kubernetes.drain", Verdict: Deny,
			Why:     "Draining evicts everything that runs on a node.",
			Instead: "kubectl drain NODE --dry-run=client shows what would be evicted; kubectl cordon only stops new pods",
			When:    []Match{{Program: clients, Command: "drain"}},
			Yes:     []string{"kubectl drain node-1 --ignore-daemonsets"},
			No:      []string{"kubectl drain node-1 --dry-run=client", "kubectl cordon node-1"},
		},
		{
			ID: "kubernetes.replace-force", Verdict: Deny,
			Why:     "replace --force deletes the objects before it creates them again.",
			Instead: "kubectl apply -f FILE",
			When:    []Match{{Program: clients, Command: "replace", Has: "--force"}, {Program: clients, Command: "apply", Has: "--prune --all"}},
			Yes:     []string{"kubectl replace --force -f a.yaml", "kubectl apply --prune --all -f dir"},
			No:      []string{"kubectl replace -f a.yaml", "kubectl apply -f a.yaml"},
		},
		{
			ID: "kubernetes.secret-object", Verdict: Undecided,
			Why:     "This reads secret objects of the cluster.",
			Instead: "kubectl get secrets -o name is enough to see which exist; ask a person for values",
			When: []Match{
				{Program: clients, Command: "get, describe", Operand: kubeSecrets},
				{Program: clients, Command: "get secret, get secrets, describe secret, describe secrets"},
			},
			Yes: []string{"kubectl get secret db -o yaml", "kubectl describe secrets", "kubectl get pods,secrets", "kubectl get -n web secret/db"},
			No:  []string{"kubectl get pods", "kubectl get deploy secret-reader"},
		},
		{
			ID: "kubernetes.template-file", Verdict: Undecided,
			Why:     "The output format is read from a file.",
			Instead: "give the template itself, as in -o jsonpath='{.items[*].metadata.name}'",
			When:    []Match{{Program: clients, Has: "-o=*-file=*|--output=*-file=*"}},
			Yes:     []string{"kubectl get pods -o jsonpath-file=x", "kubectl get pods --output=custom-columns-file=x"},
			No:      []string{"kubectl get pods -o jsonpath='{.items}'"},
		},
		{
			ID: "kubernetes.helm-uninstall", Verdict: Deny,
			Why:     "Uninstalling a release deletes all its objects, and its history unless --keep-history is given.",
			Instead: "helm uninstall --dry-run RELEASE shows what would go; helm rollback returns to an earlier revision",
			When:    []Match{{Program: "helm", Command: "uninstall, delete, del, un"}},
			Yes:     []string{"helm uninstall api -n web", "helm delete api"},
			No:      []string{"helm uninstall api --dry-run", "helm list", "helm upgrade --install api ./chart"},
		},
		{
			ID: "kubernetes.delete-cluster", Verdict: Deny,
			Why:  "This deletes or resets a cluster, an application with all its objects, or a backup.",
			When: []Match{{Program: "stern flux argocd istioctl linkerd cilium velero eksctl kops kubeadm rancher", Command: "delete, app delete, backup delete, uninstall, reset"}},
			Yes:  []string{"eksctl delete cluster --name x", "kubeadm reset -f", "argocd app delete web", "velero backup delete b1"},
			No:   []string{"eksctl get cluster", "kubeadm version"},
		},
	}
}
