package l0

// Verdict is what a rule says. Larger is stricter; zero is invalid.
// The numbers are those of gatecore.Verdict.
type Verdict uint8

// Values of Verdict.
const (
	Allow     Verdict = iota + 1 // only the built-in reader rule says so
	Undecided                    // not provably a reader
	Deny                         // never run
)

// Kind says whether an undecided rule is about a command that is readable but
// not proven safe, or about text that cannot be read. The numbers are those of gatecore.Kind.
type Kind uint8

// Values of Kind.
const (
	Unproven   Kind = iota + 1 // may be lifted by L1 or the operator's table
	Unreadable                 // at best asked about
)

// Class is what a command does when all its options are reading ones.
// The zero class is a command that the table lists only for its rules and that is
// otherwise Writer.
type Class uint8

// Values of Class.
const (
	Unlisted      Class = iota
	Reader              // only reads: may be allowed
	Writer              // changes files or state: undecided
	Network             // talks to a named endpoint: undecided, and a sink for credentials
	Database            // sends statements to a database: undecided
	Interactive         // waits for a person: undecided
	Interpreter         // runs code in another language: undecided, code judged
	Shell               // a shell: -c, files, standard input
	Wrapper             // runs the command in its cmd operand, as it is
	Elevated            // runs it as another user: never allow
	Remote              // runs it elsewhere or in another root: never allow
	WritingRun          // runs it and writes a file itself: never allow
	PackageRunner       // fetches or builds something and runs it: never allow
	Secrets             // prints secrets: undecided, and a source of credentials
	Builtin             // a shell builtin that the engine handles, see Special
)

// Style is the grammar of a program's options.
type Style uint8

// Values of Style.
const (
	// GNU means that short options bundle, long ones start with -- and may be abbreviated,
	// options may follow operands, -- ends them. The default.
	GNU Style = iota
	// POSIX is GNU, but the first operand ends the options.
	POSIX
	// SingleDash programs have whole words behind one dash (find -name, terraform
	// -auto-approve, openssl -in); -x=v, -x v and --x are all understood. Write the
	// options with one dash.
	SingleDash
	// Raw programs have no options: every word is an operand (echo). Options.Read and Change
	// still name words that are options when they come first.
	Raw
	// Windows: PowerShell parameters (-Recurse, any beginning, any case) and
	// cmd switches (/s). Names are looked up without case and only by the Windows reader.
	Windows
)

// Language is what the code role and Options.Code hold.
type Language uint8

// Values of Language.
const (
	NoLanguage Language = iota
	ShellText
	Awk
	Sed
	JQ
	SQL
	Redis
	Mongo
	Python
	Perl
	Ruby
	JavaScript
	PHP
	Lua
	PowerShellText
	CmdText
	Tcl
	Lisp
	AppleScript
	Vim // commands of vi, ex and ed
	OtherLanguage
)

// Special names what the engine does with a command beside its grammar.
type Special uint8

// Values of Special.
const (
	Plain       Special = iota
	Find                // expression: -exec, -delete, start paths
	Xargs               // appends a dynamic operand to its command
	Parallel            // the same, with ::: lists
	Env                 // assignments, -S, then a command
	Test                // test and [
	Bracket             // [ wants a closing ]
	Printf              // -v
	Echo                // constant producer
	Cat                 // constant producer when it only copies standard input
	ChangeDir           // cd, pushd, popd
	Eval                // operands joined are shell text
	Source              // runs a file
	Exec                // exec with or without command
	CommandName         // command, builtin: -v and -V only look up
	Declare             // export, declare, local, typeset, readonly
	Alias               // defines an alias
	Trap                // first operand is shell text
	SetOptions          // set
	Read                // read, mapfile, getopts: assign variables from input
	Unset               // unset
	Shift               // moves the positional parameters
	Let                 // arithmetic
	Sudo                // -e/-l forms
	Su                  // -c
	Watch               // joins its operands into shell text
	SSH                 // host, then words joined into shell text
	Busybox             // applet name first
	GitConfig           // git -c and git config values
	Dd                  // keyed operands
	GateSelf            // phocinae-mcp
	CompGen             // compgen -C, -W
)

// Options lists a command's options by what they do. See the package comment for the
// syntax of each list. All lists may be empty.
type Options struct {
	Read     string // change only what is read or printed; values are inert
	File     string // the value is a file whose content is read
	Write    string // the value is a file that is overwritten
	Append   string // the value is a file that is appended to
	Change   string // make the command write, delete or change state
	Run      string // the value names a program, library, module path or configuration; judged as shell text
	Config   string // the value is a configuration as data or file; never a reader
	Endpoint string // names a host, context, profile or credential file; never a reader
	Send     string // the value is data or @file sent to the network
	Code     string // the value is code in the program's Language
	CodeFile string // the value is a file of code
	Shell    string // the value is shell text
	Dir      string // the value becomes the working directory
	Secret   string // make the command print secrets
	Interact string // make the command wait for a person
	Help     string // with one of these as the only argument the command only prints ("--help --version" is always added)
	DryRun   string // nothing is changed; values false, none, no and 0 do not count
	Prints   string // with one of these the command only prints what this machine knows, whatever its class and operands
}

// Command is one subcommand, or a program's only one.
type Command struct {
	Path     string // "" for the program itself; "stash list, stash show": see the package comment
	Is       Class
	Operands string // signature, see the package comment
	Options  Options
	Supplied string   // options that stand for the first role of Operands (grep -e)
	Decodes  string   // options with which the output may be hidden code (base64 -d); "*" = always
	Special  Special  // engine behaviour
	Language Language // overrides the program's
	Why      string   // why it is not a reader; "" = the class's sentence
	Instead  string   // a safer way, may be ""
}

// Program is one program (or several that agree in everything listed).
type Program struct {
	Names           string // blank-separated, lower case, without .exe
	Style           Style
	Language        Language
	Command                   // the program's own options (global ones, if there are Commands), class, operands
	Commands        []Command // subcommands; if there are any, an unlisted one is undecided
	GlobalsAnywhere bool      // the program's own options may also follow the subcommand
	Network         bool      // a network client whatever the subcommand's class: a sink for credentials
}

// PathTest asks whether some operand (roles file, name, write, append, delete; value of a
// writing option) belongs to a class. See GATE, "Deleting and overwriting".
type PathTest uint8

// Values of PathTest.
const (
	AnyPath      PathTest = iota // no condition
	Tree                         // the recursive column denies it: system, home, parent, root, everything
	Single                       // the single-file column denies it: system
	Written                      // writing there is denied: system, startup, ssh, hooks, agent files, devices …
	Secret                       // it names a credential
	Device                       // a disk or memory device
	System                       // root or a system tree
	GateFile                     // one of the gate's own files
	HostFile                     // hooks and settings of an agent host, through which the gate is called
	HistoryFile                  // shell history
	UnknownStart                 // its beginning is not known
)

// Predicate is a matcher implemented by the engine.
type Predicate uint8

// Values of Predicate.
const (
	Always            Predicate = iota
	CodeDestroys                // code in the command's language plainly destroys
	KillsEverything             // a process operand is 1, -1 or 0
	CheckoutPathspec            // git checkout operands cannot be a ref
	RestoreWorktree             // git restore touches the work tree
	RefspecForces               // a git push refspec starts with + or :, or has an empty source
	FindDeletesTree             // find deletion, unnarrowed or from a denied start
	WorldWritable               // a mode operand gives everybody write permission
	SetuidMode                  // a mode operand sets setuid or setgid
	SendsSecret                 // a sent file or operand is a credential
	OpensShell                  // opens a shell to the network (nc -e, socat EXEC)
	LinkOverProtected           // ln -f over a protected name
	ScheduleText                // crontab from standard input, at
	GateProcess                 // stops or edits the gate by name
	EmptiesFile                 // truncate -s 0, dd of=
	AppliesUnattended           // an infrastructure tool without asking
	EncodedCommand              // -EncodedCommand
	MovesTree                   // a source of a move is a tree the recursive column denies
	WritesTree                  // a written operand is such a tree
	UnpacksHere                 // the current directory is one that may not be written
	PipedListing                // a deleting cmdlet fed by a listing of an absolute or profile path
)

// Match is one way a rule applies. All its conditions must hold; an empty
// condition holds.
type Match struct {
	Program string // blank-separated names; must be listed programs
	Command string // comma-separated paths: the command's path starts with one of them
	// Has: blank-separated groups, each alternatives with |; every group needs one option present:
	// "-r|-R|--recursive -f|--force". --key=glob compares the value.
	Has string
	Not string // blank-separated options, none may be present
	// Operand: some operand matches one of these blank-separated globs (* only). First and Last look at one operand.
	Operand string
	First   string
	Last    string
	Without string   // no operand matches one of these globs
	Min     int      // at least so many operands
	Max     int      // at most so many; 0 = no bound, -1 = none
	Paths   PathTest // some path operand is of this class
	Env     string   // one of these variables is assigned for the command
	If      Predicate
}

// Rule is one finding the gate can make. When is empty for rules that the
// engine itself fires (see builtinrules.go).
type Rule struct {
	ID      string // domain.name, stable, never reused for another meaning
	Verdict Verdict
	Kind    Kind   // of an Undecided rule; zero = Unproven
	Why     string // one sentence for a person
	Instead string // a safer command or way; may be ""
	When    []Match
	Yes     []string // examples that must produce this finding
	No      []string // examples that must not
}

// Domain is one file of knowledge.
type Domain struct {
	Name     string
	Programs []Program
	Rules    []Rule
}
