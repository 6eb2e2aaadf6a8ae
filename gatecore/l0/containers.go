package l0

// Container engines. Their client talks to the engine of its own login; a command that names another
// engine, context or machine is not a reader. Verbs and options as in docs.docker.com/reference and man podman.

const (
	containerFormat = "--format= -f= --filter= --no-trunc -q --quiet"
	engineRemote    = "-H= --host= -c= --context= --connection= --url= --tlscacert= --tlscert= --tlskey= --identity= --ssh= -r --remote"
)

func containers() Domain {
	engine := containerCommands("")
	for _, object := range objectCommands() {
		engine = append(engine, object...)
	}
	engine = append(engine, composeCommands("compose ")...)
	return Domain{
		Name: "containers",
		Programs: []Program{
			{
				Names: "docker podman nerdctl",
				Command: Command{Options: Options{
					Read: "-D --debug -l= --log-level= --tls --tlsverify", Endpoint: engineRemote, Config: "--config= --root= --runroot= --storage-driver= --storage-opt= --hooks-dir= --conmon= --runtime=", Help: "-v -h",
				}},
				Commands: engine,
			},
			{Names: "docker-compose podman-compose", Command: Command{Options: composeGlobals("-v -h")}, Commands: composeCommands("")},
			{Names: "buildah skopeo crictl ctr kaniko img", Command: Command{Is: Writer, Options: Options{Help: "-v -h"}, Why: "It builds, copies or removes container images."}},
			{Names: "docker-machine minikube kind k3d colima lima limactl multipass vagrant virsh", Command: Command{Options: Options{Help: "-v -h"}}, Commands: []Command{
				{Path: "status, list, ls, version, info, global-status, get clusters, cluster list, node list, snapshot list, dominfo, domstate", Is: Reader, Operands: "word*", Options: Options{Read: "--all -o= --output= --format= -q"}},
				{Path: "start, stop, create, up, halt, reload, provision, suspend, resume, pause, unpause, launch, shutdown, reboot, restart, update, config, addons, image, load, profile, snapshot", Is: Writer, Options: Options{Change: "-f --force"}},
				{Path: "delete, destroy, rm, remove, purge, undefine, cluster delete, delete cluster, prune", Is: Writer, Options: Options{Change: "-f --force -y --all --purge"}},
				{Path: "ssh, shell, exec, powershell, transfer", Is: Remote, Operands: "shell*", Options: Options{Shell: "-c= --command=", Read: "-n= --node= -p= --profile= --workdir= -w= --native-ssh?"}, Why: "It runs a program in a virtual machine."},
			}},
		},
		Rules: containerRules(),
	}
}

// containerCommands are the verbs on containers, which stand alone or behind "container".
func containerCommands(prefix string) []Command {
	return []Command{
		{Path: prefix + "ps, " + prefix + "container ls, " + prefix + "container list, " + prefix + "container ps", Is: Reader, Operands: "-", Options: Options{
			Read: containerFormat + " -a --all -n= --last= -l --latest -s --size --sort= -p --pod --ns --noheading",
		}},
		{Path: "images, image ls, image list", Is: Reader, Operands: "word?", Options: Options{Read: containerFormat + " -a --all --digests --tree --sort= --history --noheading -n"}},
		{Path: "logs, container logs", Is: Reader, Operands: "word+", Options: Options{
			Read: "-f --follow --tail= -n= -t --timestamps --since= --until= --details --color --names -l --latest",
		}},
		{Path: "inspect, container inspect, image inspect, volume inspect, network inspect, pod inspect", Is: Reader, Operands: "word+", Options: Options{
			Read: "--format= -f= -s --size --type= -t= -v --verbose -l --latest",
		}},
		{Path: "stats, container stats", Is: Reader, Operands: "word*", Options: Options{Read: "--no-stream -a --all --format= --no-trunc --no-reset -i= --interval= -l --latest"}},
		{Path: "top, container top", Is: Reader, Operands: "word"}, // ps options behind it can print the environment of processes
		{Path: "port, container port, diff, container diff, history, image history", Is: Reader, Operands: "word*", Options: Options{Read: containerFormat + " -H --human? -a --all"}},
		{Path: "version, info, system df, system info, context show", Is: Reader, Operands: "-", Options: Options{Read: "-f= --format= -v --verbose"}},
		{
			Path: "volume ls, volume list, network ls, network list, secret ls, config ls, machine list, machine ls, context ls, context list, buildx ls, buildx version, buildx du, plugin ls, node ls, service ls, service ps, service logs, service inspect, node inspect, context inspect, buildx inspect, stack ls, stack ps, stack services, pod ls, pod ps, pod list, pod logs",
			Is:   Reader, Operands: "word*", Options: Options{Read: containerFormat + " -v --verbose -f --follow --tail= -n= -t --timestamps --since= --no-resolve --pretty", Change: "--bootstrap"},
		},
		{Path: "events, system events", Is: Reader, Operands: "-", Options: Options{Read: "-f= --filter= --format= --since= --until= --stream --no-trunc"}},
		{Path: "help", Is: Reader, Operands: "word*"},
		{Path: "run, create, container run, container create", Is: Remote, Options: Options{
			Read:   "-i --interactive -t --tty --rm -d --detach -q --quiet -it -e= --env= --name= -w= --workdir= -u= --user= -p= --publish= --network= --net= --platform= -l= --label= -m= --memory= --cpus= --restart= --entrypoint= -h= --hostname= --pull= --init --read-only --gpus= --shm-size=",
			Config: "--env-file= --cidfile= --security-opt= --cap-add= --cap-drop= --device= --runtime= --ipc= --pid= --userns= --cgroup-parent= --volumes-from=",
			Change: "-v= --volume= --mount= --privileged -P --publish-all",
		}, Operands: "word cmd", Why: "It starts a container with a program in it."},
		{Path: "exec, container exec", Is: Remote, Operands: "word cmd", Options: Options{
			Read: "-i --interactive -t --tty -it -d --detach -w= --workdir= -u= --user= -e= --env= --detach-keys= --privileged -l --latest", Config: "--env-file=",
		}, Why: "It runs a program inside a container."},
		{Path: "attach, container attach", Is: Interactive},
		{
			Path: "start, stop, restart, kill, pause, unpause, rename, update, wait, commit, tag, build, load, import, save, export, cp, buildx build, buildx bake, buildx create, buildx use, image build, image tag, image save, image load, image pull, image push, init, generate, play, kube, pod create, pod start, pod stop, pod restart, network create, network connect, network disconnect, volume create, context use, context create, container start, container stop, container restart, container kill, container pause, container unpause, container cp, container commit, container export, container update, container rename, builder build, service create, service update, service scale, stack deploy, swarm init, swarm join, swarm update, node update, healthcheck, mount, unmount, secret create, config create, plugin install, trust, scan, scout, model, mcp",
			Is:   Writer, Options: Options{Write: "-o= --output="}, Why: "It changes containers, images or files.",
		},
		{Path: "pull, push, search, login, logout, manifest inspect, buildx imagetools, image search, container clone", Is: Network},
	}
}

// objectCommands are the verbs that remove something.
func objectCommands() [][]Command {
	prune := Options{Read: "--filter=", Change: "-a --all -f --force --volumes --build --external"}
	return [][]Command{{
		{Path: "rm, container rm, container remove, pod rm", Is: Writer, Options: Options{Change: "-f --force -v --volumes -l --link -a --all -i --ignore -t= --time= --depend"}, Why: "It removes containers."},
		{Path: "rmi, image rm, image remove", Is: Writer, Options: Options{Change: "-f --force --no-prune -a --all -i --ignore"}, Why: "It removes images."},
		{
			Path: "volume rm, volume remove, secret rm, config rm, network rm, network remove, context rm, buildx rm, stack rm, stack down, service rm, service remove, node rm, swarm leave, plugin rm, machine rm",
			Is:   Writer, Options: Options{Change: "-f --force -a --all"}, Why: "It removes an object of the engine.",
		},
		{Path: "system prune, volume prune, image prune, container prune, network prune, builder prune, buildx prune, pod prune", Is: Writer, Options: prune, Why: "It removes what the engine thinks is unused."},
		{Path: "system reset, machine reset", Is: Writer, Options: Options{Change: "-f --force"}, Why: "It removes everything the engine has."},
	}}
}

func composeGlobals(help string) Options {
	return Options{
		Read:     "-f= --file= -p= --project-name= --profile= --ansi= --progress= --compatibility --all-resources --verbose --no-ansi --parallel=",
		Dir:      "--project-directory=",
		Config:   "--env-file=",
		Endpoint: "-H= --host= -c= --context=",
		DryRun:   "--dry-run",
		Help:     help,
	}
}

func composeCommands(prefix string) []Command {
	at := func(verbs string) string {
		if prefix == "" {
			return verbs
		}
		return prefixed(prefix, verbs)
	}
	list := []Command{
		{Path: at("ps, ls, images, top, version, port, volumes, stats, events"), Is: Reader, Operands: "word*", Options: Options{Read: containerFormat + " -a --all --services --status= --orphans? --json --short --no-stream --index= --protocol="}},
		{Path: at("logs"), Is: Reader, Operands: "word*", Options: Options{Read: "-f --follow --tail= -n= -t --timestamps --since= --until= --no-color --no-log-prefix --index="}},
		{Path: at("config, convert"), Is: Secrets, Operands: "word*", Why: "It prints the composed file with secrets from the environment filled in.", Options: Options{Prints: "--services --images --volumes --networks --profiles --models --hash= -q --quiet", Write: "-o= --output="}},
		{Path: at("up, start, stop, restart, build, create, pull, push, kill, pause, unpause, cp, watch, scale, wait, publish, commit, export, attach"), Is: Writer, Options: Options{
			Change: "-d --detach --build --force-recreate --remove-orphans -V --renew-anon-volumes -y --yes --wait",
		}, Why: "It starts, stops or builds services."},
		{Path: at("down"), Is: Writer, Options: Options{Change: "-v --volumes --remove-orphans --rmi= -t= --timeout="}, Why: "It removes the project's containers and networks."},
		{Path: at("rm"), Is: Writer, Options: Options{Change: "-f --force -s --stop -v --volumes"}, Why: "It removes stopped service containers."},
		{Path: at("run"), Is: Remote, Operands: "word cmd", Options: Options{
			Read:   "--rm -d --detach -T --no-TTY --no-tty -i --interactive -t -u= --user= -w= --workdir= -e= --env= --name= --no-deps -p= --publish= -P --service-ports -l= --label= --entrypoint= --build --pull= --quiet-pull --use-aliases --remove-orphans -q --quiet",
			Change: "-v= --volume=", Config: "--cap-add= --cap-drop=",
		}, Why: "It starts a container with a program in it."},
		{Path: at("exec"), Is: Remote, Operands: "word cmd", Options: Options{Read: "-d --detach -T --no-tty -i --interactive -u= --user= -w= --workdir= -e= --env= --index= --privileged"}, Why: "It runs a program inside a container."},
	}
	if prefix == "" {
		return list
	}
	return append(list, Command{Path: "compose", Options: composeGlobals("-v -h")})
}

// prefixed puts the prefix before each of the comma-separated verbs.
func prefixed(prefix, verbs string) string {
	out, start := "", 0
	for i := 0; i <= len(verbs); i++ {
		if i < len(verbs) && verbs[i] != ',' {
			continue
		}
		verb := verbs[start:i]
		for len(verb) > 0 && verb[0] == ' ' {
			verb = verb[1:]
		}
		if out != "" {
			out += ", "
		}
		out += prefix + verb
		start = i + 1
	}
	return out
}

// everyContainer matches the sources of operands that list all containers or images; globs take no blanks, so * stands for them.
const everyContainer = "$(*ps*-aq) $(*ps*-qa) $(*ps*--all*-q) $(*ps*-q*-a) $(*ps*-a*-q) `*ps*-aq` `*ps*-qa` `*ps*--all*-q` `*ps*-q*-a` `*ps*-a*-q` " +
	"$(*container*ls*-aq) $(*images*-q) $(*images*-aq) $(*images*-qa) `*images*-q` `*images*-aq` `*images*-qa` $(*image*ls*-q) $(*image*ls*-aq)"

func containerRules() []Rule {
	const engines = "docker podman nerdctl"
	return []Rule{
		{
			ID: "containers.prune-all", Verdict: Deny,
			Why:     "This removes every unused image, volume or container at once; data in volumes does not come back.",
			Instead: "docker system df, then remove single objects by name",
			When: []Match{
				{Program: engines, Command: "system prune, image prune, builder prune, buildx prune", Has: "-a|--all"},
				{Program: engines, Command: "system prune", Has: "--volumes|-f|--force"},
				{Program: engines, Command: "volume prune, system reset, machine reset"},
				{Program: engines, Command: "rm, container rm, pod rm, rmi, image rm, volume rm", Has: "-a|--all"},
			},
			Yes: []string{"docker system prune -af", "docker system prune --volumes", "docker volume prune -f", "podman system reset", "podman rm -fa", "docker image prune --all"},
			No:  []string{"docker image prune", "docker rm web", "docker system df", "docker ps -a", "docker container prune"},
		},
		{
			ID: "containers.remove-volume", Verdict: Deny,
			Why:     "Removing a volume deletes the data in it.",
			Instead: "docker compose down, which keeps volumes",
			When: []Match{
				{Program: engines, Command: "volume rm, volume remove"},
				{Program: engines, Command: "compose down", Has: "-v|--volumes"},
				{Program: engines, Command: "compose rm", Has: "-v|--volumes"},
				{Program: "docker-compose podman-compose", Command: "down, rm", Has: "-v|--volumes"},
			},
			Yes: []string{"docker volume rm pgdata", "docker compose down -v", "docker-compose down --volumes", "docker compose -f a.yml down --remove-orphans -v", "podman volume rm -f x"},
			No:  []string{"docker compose down", "docker volume ls", "docker rm web", "docker run -v a:/b alpine true"},
		},
		{
			ID: "containers.remove-stack", Verdict: Deny,
			Why:  "This removes a whole stack, a machine or the node's membership in its swarm.",
			When: []Match{{Program: engines, Command: "stack rm, stack down, machine rm, node rm"}, {Program: engines, Command: "swarm leave", Has: "-f|--force"}},
			Yes:  []string{"docker stack rm web", "podman machine rm", "docker swarm leave --force"},
			No:   []string{"docker stack ls", "docker service ls"},
		},
		{
			ID: "containers.remove-every", Verdict: Deny,
			Why:     "The list of containers or images to remove is every one there is.",
			Instead: "remove them by name",
			When:    []Match{{Program: engines, Command: "rm, container rm, container remove, rmi, image rm, image remove", Operand: everyContainer}},
			Yes:     []string{"docker rm -f $(docker ps -aq)", "podman rm `podman ps --all -q`", "docker rmi -f $(docker images -q)"},
			No:      []string{"docker rm -f web", "docker ps -aq", "docker rm $(docker ps -q -f name=web)"},
		},
		{
			ID: "containers.vagrantfile", Verdict: Undecided, Why: "Every command of vagrant runs the Vagrantfile, a program in the work tree.",
			When: []Match{{Program: "vagrant"}}, Yes: []string{"vagrant status"}, No: []string{"vagrant --version", "limactl list"},
		},
		{
			ID: "containers.remove-machine", Verdict: Deny,
			Why:  "This deletes a virtual machine or a local cluster with everything in it.",
			When: []Match{{Program: "docker-machine minikube kind k3d colima lima limactl multipass vagrant virsh", Command: "delete, destroy, rm, remove, purge, undefine, cluster delete, delete cluster"}},
			Yes:  []string{"minikube delete", "vagrant destroy -f", "kind delete cluster --name a"},
			No:   []string{"minikube status", "vagrant halt"},
		},
		{
			ID: "containers.remote-project", Verdict: Undecided,
			Why:  "The project is fetched from the network.",
			When: []Match{{Program: engines, Command: "compose", Has: "-f=*://*|--file=*://*|-f=git@*|--file=git@*|-f=oci:*|--file=oci:*"}, {Program: "docker-compose podman-compose", Has: "-f=*://*|--file=*://*|-f=git@*|--file=git@*"}},
			Yes:  []string{"docker compose -f https://example.com/app.git ps", "docker-compose -f git@example.com:a/b.git config"},
			No:   []string{"docker compose -f deploy/compose.yml ps"},
		},
		{
			ID: "containers.host-root", Verdict: Deny,
			Why:     "The container gets the whole file system of the host, which makes its program as strong as root.",
			Instead: "mount only the directory the program needs, read-only where possible",
			When: []Match{
				{Program: engines, Command: "run, create, container run, container create", Has: "-v=/:*|--volume=/:*"},
				{Program: engines, Command: "run, create, container run, container create", Has: "--mount=*source=/,*|--mount=*src=/,*"},
			},
			Yes: []string{"docker run -v /:/host alpine rm -rf /host", "docker run --rm -it --volume=/:/mnt alpine chroot /mnt", "docker run --mount type=bind,source=/,target=/h alpine"},
			No:  []string{"docker run -v /srv/data:/data alpine true", "docker run -v $PWD:/w node:22 npm ci"},
		},
	}
}
