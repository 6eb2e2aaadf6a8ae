// Calls every tool of the product and completes one confirmation with the official TypeScript client: both eras, both
// transports. Prints a line per check and leaves with 1 if one failed.
//
//   node client.mjs PROGRAM MOCK_PROGRAM
import { spawn } from "node:child_process";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [program, mock] = process.argv.slice(2);
let failed = 0;
let passed = 0;

function check(claim, ok, found) {
  ok ? passed++ : failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${claim}${ok ? "" : `: found ${JSON.stringify(found)}`}`);
}

// started resolves with the URL that a program names on standard error.
function started(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const found = /(?:address|listening|listen|url|addr)[= ]"?(https?:\/\/[0-9.:[\]]+)/.exec(said) ?? /(https?:\/\/[0-9.:[\]]+)/.exec(said);
      if (found && said.includes("\n")) resolve({ child, url: found[1] });
    });
    child.on("exit", () => reject(new Error(`${command} ended: ${said}`)));
  });
}

async function converse(era, mode, name, transport) {
  const client = new Client({ name: "interop", version: "0" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
  let shown = 0;
  client.setRequestHandler("elicitation/create", async () => {
    shown++;
    return { action: "accept", content: { approve: true } };
  });
  await client.connect(transport);
  const call = async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    return result.isError ? result : result.structuredContent;
  };
  const at = `${era} over ${name}`;
  const { tools } = await client.listTools();
  check(`${at}: four tools`, tools.map((t) => t.name).join() === "classify,gate,route,score", tools.map((t) => t.name));
  let got = await call("gate", { command: "git status" });
  check(`${at}: a reader is allowed`, got.decision === "allow", got);
  got = await call("gate", { command: "ls && rm -rf ~" });
  check(`${at}: a destroyer behind a reader is denied`, got.decision === "deny", got);
  got = await call("classify", { state: "the printer is on fire", labels: ["hardware", "billing"] });
  check(`${at}: classify names one of the labels`, ["hardware", "billing"].includes(got.label), got);
  got = await call("route", { state: "find a file", tools: ["grep", "mail"] });
  check(`${at}: route names one of the tools`, ["grep", "mail"].includes(got.tool), got);
  got = await call("score", { state: "a tidy commit", criteria: ["clarity"] });
  check(`${at}: score is within 2 and 10`, got.score >= 2 && got.score <= 10, got);
  got = await call("gate", { command: "slowtool --wait" });
  const offered = !(era === "legacy" && name === "http");
  check(`${at}: an ask ${offered ? "is confirmed by the client's handler" : "comes back as ask"}`, got.decision === (offered ? "allow" : "ask") && shown === (offered ? 1 : 0), { got, shown });
  await client.close();
}

const service = await started(mock, ["--addr", "127.0.0.1:0"]);
const flags = ["--server", service.url, "--fail-closed", "ask", "--audit", "off"];
const http = await started(program, ["--transport", "http", "--port", "0", ...flags]);
try {
  for (const [era, mode] of [["legacy", "legacy"], ["modern", { pin: "2026-07-28" }]]) {
    await converse(era, mode, "stdio", new StdioClientTransport({ command: program, args: flags, stderr: "inherit" }));
    await converse(era, mode, "http", new StreamableHTTPClientTransport(new URL(http.url + "/mcp")));
  }
} finally {
  http.child.kill();
  service.child.kill();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
