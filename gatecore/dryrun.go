package gatecore

import "strings"

func (inv *invocation) dryRun() bool {
	dry, other := inv.checksFormat()
	if other || inv.packs() {
		return false
	}
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.o == nil {
			if strings.HasPrefix(u.name, "--no") {
				return false
			}
			continue
		}
		if u.o.eff&effDryRun == 0 {
			continue
		}
		dry = true
		if u.hasVal {
			switch strings.ToLower(u.val.text) {
			case "false", "none", "no", "0", "f", "off":
				return false
			}
			if u.val.dyn {
				return false
			}
		}
	}
	return dry
}

// lastMode are packers that obey the last of the options that say what to do: xz -t -d unpacks.
var lastMode = map[string]bool{
	"xz": true, "unxz": true, "lzma": true, "unlzma": true, "zstd": true, "unzstd": true, "bzip2": true, "bunzip2": true, "lz4": true, "unlz4": true, "pbzip2": true,
}

// packs reports such a packer that is told to replace its files after it is told to test or list them.
func (inv *invocation) packs() bool {
	if !lastMode[inv.prog.name] || inv.hasAny([]string{"-c", "--stdout", "--to-stdout"}) {
		return false
	}
	packs := false
	for i := range inv.opts {
		switch inv.opts[i].name {
		case "-d", "-z", "--decompress", "--uncompress", "--compress":
			packs = true
		case "-t", "-l", "--test", "--list":
			packs = false
		}
	}
	return packs
}

// checksFormat reports cargo fmt -- --check, where the option is one of rustfmt's, and whether rustfmt is given others that
// are not known to read.
func (inv *invocation) checksFormat() (check, other bool) {
	if inv.prog.name != "cargo" || inv.cmd.path != "fmt" || inv.dash < 0 {
		return false, false
	}
	for _, o := range inv.operands[inv.dash:] {
		switch o.w.text {
		case "--check":
			check = true
		case "-l", "-v", "-q", "--color=never", "--color=always":
		default:
			other = true
		}
	}
	return check, other
}

// helpOnly reports a command whose only argument is a help or version option.
func (inv *invocation) helpOnly() bool {
	if len(inv.opts) != 1 || len(inv.operands) > 0 || inv.opts[0].o == nil || inv.sub != nil {
		return false
	}
	return inv.opts[0].o.eff&effHelp != 0 && !inv.opts[0].hasVal && !inv.opts[0].at.dyn
}

// onlyPrints reports an option of the command itself with which it prints, whatever it does else.
func (inv *invocation) onlyPrints() bool {
	prints := false
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.o == nil {
			continue
		}
		if u.o.eff&(effCode|effCodeFile) != 0 {
			return false // php -r CODE -l runs the code
		}
		// Behind a word that is no listed subcommand it is that one's option, and brew runs brew-WORD.
		prints = prints || u.o.eff&effPrints != 0 && inv.cmd.opts.find(u.name) == u.o && (inv.sub == nil || u.at.start < inv.sub.start)
	}
	return prints
}
