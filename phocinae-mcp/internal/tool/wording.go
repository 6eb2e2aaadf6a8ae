package tool

// wording is what clients read, in one language. Each description stays under 2 KB and follows one order: when to use, when
// not and which sibling instead, what comes back, what happens on failure, side effects, determinism, latency,
// credentials, what server does.
type wording struct {
	instructions                 string
	gate, classify, route, score told
	fields                       map[string]string // descriptions of arguments
}

// told is how one tool is presented.
type told struct{ title, text string }

func wordingFor(lang string) *wording {
	if lang == "en" {
		return &english
	}
	return &chinese
}

var english = wording{
	instructions: "Call gate with the exact text before running any shell command, and obey decision: allow = run it unchanged; ask = show command and reason to a person and wait for a yes; deny = do not run it, follow reason or instead. " +
		"Never rephrase, split, wrap or encode a refused command to get another verdict, and judge again after every change. " +
		"classify picks one label for a text, route picks the tool for a request, score rates a text from 2 to 10; none of them approves anything. " +
		"All four only read, answer the same to the same input and need no credentials. A failure is never an approval.",
	gate: told{
		"Command approval gate",
		"Use before running any shell command, with the exact text that would run: decides allow, ask or deny.\n" +
			"Not for: putting a text into a category (classify), choosing a tool for a request (route), rating a text (score). It judges commands only; prose is not a command.\n" +
			"How it decides: a fixed rule table reads the command without running it, through quoting, pipes, wrappers and substitutions. What the table leaves undecided goes to two model questions if the operator switched that on, otherwise to the configured fallback.\n" +
			"Returns: decision, human_action (none, confirm, block), layer, reason and findings, each with rule, byte span and often a safer command. Clients with forms are asked directly for an ask: a person's yes gives allow, anything else does not.\n" +
			"On failure: always deny (layer fail_closed), never an error that could be skipped. Wrong arguments come back as a list of everything to repair.\n" +
			"Side effects: none; nothing is run or changed, one audit line is written. Deterministic: same command and directory, same verdict. Latency: under 1 ms from the table, 0.05 to 5 s when the model is asked. No credentials needed.\n" +
			"server: only matters for undecided commands with the model on; another loopback service is asked in addition to the configured one and the stricter answer counts. It never softens a verdict and never gets a token.",
	},
	classify: told{
		"Choose one label",
		"Use to put one text into exactly one of up to 100 given labels, for example sentiment, topic or priority.\n" +
			"Not for: deciding whether a command may run (gate), choosing which tool should serve a request (route), a degree instead of a category (score).\n" +
			"How it decides: a local model compares the text with each label in one question and picks the best match. Labels should differ within their first words: what the model cannot tell apart is refused, not guessed.\n" +
			"Returns: choice (0-based index) and label; where the service gives them, confidence, scores for each label in request order, model, usage and server.\n" +
			"On failure (service gone, late, contradictory, text cut): isError with {\"tool\",\"error\"}; never a default label. Wrong arguments come back as a list of everything to repair.\n" +
			"Side effects: none; one audit line with sizes and a digest. Deterministic: same input, same answer, no sampling. Latency: about 40 ms on a CPU, up to the time limit (5 s). No credentials needed.\n" +
			"server: asks another inference service on loopback, or one the operator listed, instead of the configured one; its answer replaces the usual one and no token is sent to it.",
	},
	route: told{
		"Choose a tool",
		"Use when a request could be served by several tools or agents and one has to be picked from up to 100 names or descriptions.\n" +
			"Not for: approving what the tool will do (gate), sorting a text into categories that are not tools (classify), rating (score).\n" +
			"How it decides: a local model is told that the options are tools and the text is a request to be served, and ranks which tool fits; classify puts the same question without that meaning, gate does not ask which but whether. Options should differ within their first words.\n" +
			"Returns: choice (0-based index) and tool; where the service gives them, confidence, scores for each tool in request order, model, usage and server. It does not call the tool.\n" +
			"On failure (service gone, late, contradictory, text cut): isError with {\"tool\",\"error\"}; never a default tool. Wrong arguments come back as a list of everything to repair.\n" +
			"Side effects: none; one audit line with sizes and a digest. Deterministic: same input, same answer, no sampling. Latency: about 40 ms on a CPU, up to the time limit (5 s). No credentials needed.\n" +
			"server: asks another inference service on loopback, or one the operator listed, instead of the configured one; its answer replaces the usual one and no token is sent to it.",
	},
	score: told{
		"Rate from 2 to 10",
		"Use to rate one text against up to 100 criteria as a single number from 2 (lowest) to 10 (highest), for example risk, quality or urgency.\n" +
			"Not for: deciding whether a command may run (gate; a low risk score is no approval), choosing a label (classify) or a tool (route).\n" +
			"How it decides: the criteria are written into one statement and a local model rates how far the text meets them together; short, concrete criteria work best.\n" +
			"Returns: score and range [2,10]; where the service gives them, confidence, scores for each level, model, usage and server.\n" +
			"On failure (service gone, late, contradictory, text cut): isError with {\"tool\",\"error\"}; never a middle value. Wrong arguments come back as a list of everything to repair.\n" +
			"Side effects: none; one audit line with sizes and a digest. Deterministic: same input, same answer, no sampling. Latency: about 40 ms on a CPU, up to the time limit (5 s). No credentials needed.\n" +
			"server: asks another inference service on loopback, or one the operator listed, instead of the configured one; its answer replaces the usual one and no token is sent to it.",
	},
	fields: map[string]string{
		"command":  "The exact shell text that would run, 1 to 20000 characters.",
		"cwd":      "Absolute working directory of the command; default: the server's own.",
		"server":   "Another inference service, http://host:port on loopback unless the operator listed it.",
		"state":    "The text, 1 to 20000 characters.",
		"request":  "The request to be served, 1 to 20000 characters.",
		"labels":   "1 to 100 labels, each up to 2000 characters.",
		"tools":    "1 to 100 tool names or descriptions, each up to 2000 characters.",
		"criteria": "1 to 100 criteria, each up to 2000 characters.",
	},
}

var chinese = wording{
	instructions: "运行任何 shell 命令之前，先把原文交给 gate，并照 decision 办：allow＝原样运行；ask＝把命令和理由给人看，得到同意再运行；deny＝不运行，按 reason 或 instead 改做。" +
		"命令被拒后，不要改写、拆分、包装或编码再试；命令有任何改动都要重新判断。" +
		"classify 给文本选一个标签，route 给请求选工具，score 打 2 到 10 分；这三个都不构成批准。" +
		"四个工具都只读，相同输入得到相同回答，不需要凭据。失败绝不等于批准。",
	gate: told{
		"命令审批门",
		"何时用：运行任何 shell 命令之前，传入将要运行的原文，得到 allow、ask 或 deny。\n" +
			"何时不用：给文本归类用 classify，为请求选工具用 route，打分用 score；本工具只判断命令。\n" +
			"如何判断：固定规则表读懂命令（引号、管道、包装、替换都看穿），不执行它；规则表未决的，若运维方开启则问模型两个问题，否则用配置的兜底。\n" +
			"返回：decision、human_action（none、confirm、block）、layer、reason、findings（规则、字节区间、原因，常有更安全的做法）。支持表单的客户端遇到 ask 会直接询问：人同意才是 allow。\n" +
			"失败时：一律 deny（layer 为 fail_closed），不会变成可忽略的错误；参数有误会一次列出全部问题。\n" +
			"副作用：无，不运行也不改动任何东西，只写一行审计。确定性：命令和目录相同则结论相同。延迟：规则表不到 1 毫秒，问模型约 0.05 到 5 秒。不需要凭据。\n" +
			"server：仅在开启模型且命令未决时有意义；另一个本机服务会与配置的服务一起被问，取更严的回答，不会放宽结论，也拿不到令牌。",
	},
	classify: told{
		"选一个标签",
		"何时用：把一段文本归入给定标签（最多 100 个）中的恰好一个，如情感、主题、优先级。\n" +
			"何时不用：命令能否运行用 gate，请求该交给哪个工具用 route，要程度而非类别用 score。\n" +
			"如何判断：本地模型用一个问题把文本与各标签比较，选最匹配的；标签应在开头几个词就不同，模型分辨不了的会被拒绝而不是猜。\n" +
			"返回：choice（从 0 开始）和 label；服务提供时还有 confidence、按请求顺序的 scores、model、usage、server。\n" +
			"失败时（服务不在、超时、回答矛盾、文本被截断）：isError，内容为 {\"tool\",\"error\"}，绝不给默认标签；参数有误会一次列出全部问题。\n" +
			"副作用：无，只写一行含长度和摘要的审计。确定性：输入相同则回答相同，没有抽样。延迟：CPU 上约 40 毫秒，最长为时限（5 秒）。不需要凭据。\n" +
			"server：改问另一个本机推理服务或运维方列出的服务，由它的回答代替；不会向它发送令牌。",
	},
	route: told{
		"选一个工具",
		"何时用：一个请求可由多个工具或代理处理，要从最多 100 个名称或说明里选出一个。\n" +
			"何时不用：批准工具要做的事用 gate，归入不是工具的类别用 classify，打分用 score。\n" +
			"如何判断：告诉本地模型“选项是工具，文本是待处理的请求”，按合适程度排序；classify 的提问没有这层含义，gate 问的是能不能而不是哪一个。选项应在开头几个词就不同。\n" +
			"返回：choice（从 0 开始）和 tool；服务提供时还有 confidence、按请求顺序的 scores、model、usage、server。它不会调用所选工具。\n" +
			"失败时（服务不在、超时、回答矛盾、文本被截断）：isError，内容为 {\"tool\",\"error\"}，绝不给默认工具；参数有误会一次列出全部问题。\n" +
			"副作用：无，只写一行含长度和摘要的审计。确定性：输入相同则回答相同，没有抽样。延迟：CPU 上约 40 毫秒，最长为时限（5 秒）。不需要凭据。\n" +
			"server：改问另一个本机推理服务或运维方列出的服务，由它的回答代替；不会向它发送令牌。",
	},
	score: told{
		"打 2 到 10 分",
		"何时用：按最多 100 条标准给一段文本打一个总分，2 最低，10 最高，如风险、质量、紧急程度。\n" +
			"何时不用：命令能否运行用 gate（风险分低不等于批准），选类别用 classify，选工具用 route。\n" +
			"如何判断：把标准写进一句陈述，本地模型给文本整体符合的程度打分；标准短而具体效果最好。\n" +
			"返回：score 和 range [2,10]；服务提供时还有 confidence、各档 scores、model、usage、server。\n" +
			"失败时（服务不在、超时、回答矛盾、文本被截断）：isError，内容为 {\"tool\",\"error\"}，绝不给中间分；参数有误会一次列出全部问题。\n" +
			"副作用：无，只写一行含长度和摘要的审计。确定性：输入相同则回答相同，没有抽样。延迟：CPU 上约 40 毫秒，最长为时限（5 秒）。不需要凭据。\n" +
			"server：改问另一个本机推理服务或运维方列出的服务，由它的回答代替；不会向它发送令牌。",
	},
	fields: map[string]string{
		"command":  "将要运行的 shell 原文，1 到 20000 个字符。",
		"cwd":      "命令的工作目录，绝对路径；默认为服务器自己的目录。",
		"server":   "另一个推理服务，http://主机:端口，须为本机，除非运维方已列出。",
		"state":    "文本，1 到 20000 个字符。",
		"request":  "待处理的请求，1 到 20000 个字符。",
		"labels":   "1 到 100 个标签，每个最多 2000 个字符。",
		"tools":    "1 到 100 个工具名称或说明，每个最多 2000 个字符。",
		"criteria": "1 到 100 条标准，每条最多 2000 个字符。",
	},
}
