package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/host"
)

type completionCommand struct {
	Shell string `arg:"" help:"bash, zsh or fish."`
}

// Run prints a script made from the command line's own model, so it cannot name what does not exist.
func (c *completionCommand) Run(p *Process, parser *kong.Kong) error {
	tree := words(parser.Model.Node)
	var script string
	switch c.Shell {
	case "bash":
		script = bashScript(tree)
	case "zsh":
		// zsh runs the bash script through its own compatibility layer.
		script = "#compdef phocinae-mcp\nautoload -U +X bashcompinit && bashcompinit\n" + bashScript(tree)
	case "fish":
		script = fishScript(tree)
	default:
		return usage(fmt.Sprintf("SHELL: %q is not known; allowed: bash, zsh or fish", c.Shell))
	}
	_, err := io.WriteString(p.Out, script)
	return err
}

// node is one command with what may follow it.
type node struct {
	path  string // "" for the program itself, "audit verify" for a subcommand
	help  string
	subs  []string
	flags []flag
	args  []string // fixed words of the positional argument
}

type flag struct {
	name   string // with dashes
	help   string
	values []string // of a choice such as stdio|http
	bool   bool
}

// words flattens the model.
func words(root *kong.Node) []node {
	var out []node
	var walk func(n *kong.Node, path string)
	walk = func(n *kong.Node, path string) {
		me := node{path: path, help: strings.TrimSuffix(n.Help, ".")}
		for _, f := range n.Flags {
			if !f.Hidden {
				me.flags = append(me.flags, flag{"--" + f.Name, strings.TrimSuffix(f.Help, "."), choices(f), f.IsBool()})
			}
		}
		if slices.ContainsFunc(n.Positional, func(p *kong.Positional) bool { return p.Name == "host" }) {
			for _, h := range host.Hosts() {
				if path != "hook" || h.Has(host.Hook) {
					me.args = append(me.args, h.String())
				}
			}
		}
		if path == "completion" {
			me.args = []string{"bash", "zsh", "fish"}
		}
		var children []*kong.Node
		for _, child := range n.Children {
			if !child.Hidden {
				me.subs = append(me.subs, child.Name)
				children = append(children, child)
			}
		}
		out = append(out, me)
		for _, child := range children {
			walk(child, strings.TrimSpace(path+" "+child.Name))
		}
	}
	walk(root, "")
	return out
}

// choices are the words of a placeholder such as stdio|http. Capital ones stand for something else.
func choices(f *kong.Flag) []string {
	var out []string
	if !strings.Contains(f.PlaceHolder, "|") {
		return nil
	}
	for w := range strings.SplitSeq(f.PlaceHolder, "|") {
		if w == strings.ToLower(w) {
			out = append(out, w)
		}
	}
	return out
}

const bashHead = `# completion of phocinae-mcp for bash: put it into ~/.local/share/bash-completion/completions/phocinae-mcp
_phocinae_mcp() {
  local cur prev path word
  cur="${COMP_WORDS[COMP_CWORD]}"; prev="${COMP_WORDS[COMP_CWORD-1]}"; path=""
  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "$path $word" in
`

func bashScript(tree []node) string {
	var b strings.Builder
	b.WriteString(bashHead)
	for _, n := range tree {
		for _, sub := range n.subs {
			fmt.Fprintf(&b, "      '%s %s') path='%s' ;;\n", n.path, sub, strings.TrimSpace(n.path+" "+sub))
		}
	}
	b.WriteString("    esac\n  done\n  case \"$prev\" in\n")
	seen := map[string]bool{}
	for _, n := range tree {
		for _, f := range n.flags {
			if f.bool || seen[f.name] {
				continue
			}
			seen[f.name] = true
			if len(f.values) > 0 {
				fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", f.name, strings.Join(f.values, " "))
			} else {
				fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", f.name)
			}
		}
	}
	b.WriteString("  esac\n  case \"$path\" in\n")
	root := tree[0]
	for _, n := range tree[1:] {
		fmt.Fprintf(&b, "    '%s') COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", n.path, strings.Join(following(n, root), " "))
	}
	fmt.Fprintf(&b, "    *) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n  esac\n}\ncomplete -F _phocinae_mcp phocinae-mcp\n",
		strings.Join(following(root, node{}), " "))
	return b.String()
}

// following are all words that may come after a command: its own and the settings that every command takes.
func following(n, root node) []string {
	out := append(slices.Clone(n.subs), n.args...)
	for _, f := range append(slices.Clone(n.flags), root.flags...) {
		if !slices.Contains(out, f.name) {
			out = append(out, f.name)
		}
	}
	return out
}

func fishScript(tree []node) string {
	var b strings.Builder
	b.WriteString("# completion of phocinae-mcp for fish: put it into ~/.config/fish/completions/phocinae-mcp.fish\ncomplete -c phocinae-mcp -f\n")
	for _, n := range tree {
		condition := ""
		if n.path != "" {
			var all []string
			for w := range strings.FieldsSeq(n.path) {
				all = append(all, "__fish_seen_subcommand_from "+w)
			}
			condition = " -n '" + strings.Join(all, "; and ") + "'"
		}
		for _, sub := range n.subs {
			when := condition
			if n.path == "" {
				when = " -n __fish_use_subcommand"
			}
			fmt.Fprintf(&b, "complete -c phocinae-mcp%s -a %s -d %s\n", when, sub, fishQuote(helpOf(tree, n.path, sub)))
		}
		for _, a := range n.args {
			fmt.Fprintf(&b, "complete -c phocinae-mcp%s -a %s\n", condition, a)
		}
		for _, f := range n.flags {
			value := ""
			switch {
			case len(f.values) > 0:
				value = " -x -a " + fishQuote(strings.Join(f.values, " "))
			case !f.bool:
				value = " -r -F"
			}
			fmt.Fprintf(&b, "complete -c phocinae-mcp%s -l %s%s -d %s\n", condition, strings.TrimPrefix(f.name, "--"), value, fishQuote(f.help))
		}
	}
	return b.String()
}

func helpOf(tree []node, path, sub string) string {
	full := strings.TrimSpace(path + " " + sub)
	for _, n := range tree {
		if n.path == full {
			return n.help
		}
	}
	return ""
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
