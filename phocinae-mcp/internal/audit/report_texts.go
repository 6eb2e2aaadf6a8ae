package audit

// reportTexts are the words of the page in each language.
var reportTexts = map[string]map[string]string{
	"en": {
		"title": "Command approval: audit report", "records": "Records", "writers": "writers", "allow": "Allowed", "ask": "Asked", "deny": "Refused",
		"other": "No decision", "failures": "Failures", "skipped": "unreadable lines", "median": "Median latency", "made": "made", "utc": "all times UTC",
		"timeline": "Decisions over time", "column": "one column", "rules": "Rules that refused or asked", "more": "more", "refused": "Refused commands",
		"newest": "newest first", "confirms": "Confirmations", "latency": "Latency", "layers": "Layers", "tools": "Tools", "clients": "Clients",
		"errors": "Failures", "when": "When", "last": "Last time", "command": "Command", "rule": "Rule", "why": "Why", "who": "Client", "layer": "Layer", "n": "Count",
		"outcome": "Outcome", "decision": "Decision", "error": "Error", "all": "all", "none": "None in this period.", "empty": "The trail has no records in this period.",
		"integrity": "Integrity", "ok": "No change found", "notok": "Problems found", "blind": "What this check cannot see",
		"masked": "Secrets in commands were masked when they were written, unless the program ran with --audit-raw.",
	},
	"zh": {
		"title": "命令审批：审计报告", "records": "记录", "writers": "个写入者", "allow": "放行", "ask": "询问", "deny": "拒绝",
		"other": "无裁决", "failures": "失败", "skipped": "行无法读取", "median": "延迟中位数", "made": "生成于", "utc": "时间均为 UTC",
		"timeline": "裁决随时间的分布", "column": "每列", "rules": "拒绝或询问所依据的规则", "more": "条未列出", "refused": "被拒绝的命令",
		"newest": "由新到旧", "confirms": "人工确认", "latency": "延迟", "layers": "层级", "tools": "工具", "clients": "客户端",
		"errors": "失败", "when": "时间", "last": "最近一次", "command": "命令", "rule": "规则", "why": "原因", "who": "客户端", "layer": "层级", "n": "次数",
		"outcome": "结果", "decision": "裁决", "error": "错误", "all": "全部", "none": "此期间内没有。", "empty": "此期间内没有记录。",
		"integrity": "完整性", "ok": "未发现改动", "notok": "发现问题", "blind": "此检查看不到的内容",
		"masked": "命令中的密钥在写入时已被遮盖（使用 --audit-raw 运行时除外）。",
	},
}

// reportBlind are the sentences about what the check cannot see, in Chinese; the others are as verify says them.
var reportBlind = map[string]string{
	blindUnkeyed: "没有密钥的记录：能写这些文件的人可以改动一条记录，并重新计算其后的全部散列。请设置 PHOCINAE_MCP_AUDIT_KEY，并把它放在智能体读不到的地方。",
	blindKeyed:   "持有密钥的人可以重写一切。",
	blindTail:    "被截掉的末尾：一个写入者最后的几条记录可以不留痕迹地删除，除非后来的记录见过它们，或者用 --expect WRITER:SEQ:HASH 指明了它们。",
	blindWriter:  "整个缺失的写入者，除非别的记录见过它的最后一行，或者 --expect 指明了它。每条命令运行一次的钩子就是只有一条记录的写入者。",
	blindLost:    "从未写下的调用：审计被关闭，或者磁盘已满而没有使用 --audit-required。",
	blindClock:   "写入者之间的先后，以及时间：每个进程的时钟都照单全收。",
	blindExpect:  "期望值的可信程度取决于其来源：请把它们保存在这台机器之外。",
}
