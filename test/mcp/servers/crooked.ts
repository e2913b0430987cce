import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A server that does one thing wrong, or in a way that nobody expects. Its first argument says what. */
const mode = process.argv[2] ?? "";
const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const send = (message: object) => process.stdout.write(line(message));
const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

/** How often it was started before, in a folder that it may keep. */
function startsBefore(): number {
  const folder = process.env.XDG_DATA_HOME ?? ".";
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "starts");
  let starts = 0;
  try {
    starts = Number(readFileSync(file, "utf8"));
  } catch {
    // It is the first start.
  }
  writeFileSync(file, String(starts + 1));
  return starts;
}

/** Whether it is another server by now. */
const isOther = mode === "turns" && startsBefore() > 0;

const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
const tools: object[] = {
  recursive: [tool("good", { inputSchema: { ...node, $defs: { node } } })],
  shaped: [
    tool("good", {
      outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    }),
  ],
  turns: [isOther ? tool("new", { description: "Something else." }) : tool("good")],
}[mode] ?? [tool("good")];

const results: Record<string, unknown> = {
  silent: {},
  strange: {
    content: [
      { type: "hologram", data: "?" },
      { type: "text", text: "and text" },
    ],
  },
  numbers: { content: "no list", isError: "no" },
  list: [1, 2],
  shaped: { ...text("n is many"), structuredContent: { n: "many" } },
  bare: { structuredContent: { a: 1 } },
};

function answer(id: unknown): void {
  switch (mode) {
    case "halves": {
      const whole = line({ id, result: text("héllo") });
      const bytes = Buffer.from(whole);
      // Cut inside of the é.
      const cut = bytes.indexOf(0xc3) + 1;
      process.stdout.write(bytes.subarray(0, cut));
      setTimeout(() => process.stdout.write(bytes.subarray(cut)), 50);
      return;
    }
    case "returns":
      process.stdout.write(line({ id, result: text("ends") }).replace("\n", "\r\n"));
      return;
    case "mark":
      process.stdout.write(`\uFEFF${line({ id, result: text("marked") })}`);
      return;
    case "bytes": {
      const [before, after] = line({ id, result: text("a§b") }).split("§");
      process.stdout.write(
        Buffer.concat([Buffer.from(before ?? ""), Buffer.from([0xff, 0xfe]), Buffer.from(after ?? "")]),
      );
      return;
    }
    case "twice":
      send({ id, result: text("first") });
      send({ id, result: text("second") });
      return;
    case "others":
      send({ id: 99_999, result: text("for nobody") });
      send({ id: "x", error: { code: 1, message: "for nobody" } });
      send({ id, result: text("for you") });
      return;
    case "flood":
      for (let at = 0; at < 20_000; at += 1)
        send({ method: "notifications/message", params: { level: "info", data: at } });
      for (let at = 0; at < 500; at += 1) send({ method: "notifications/tools/list_changed" });
      send({ method: "notifications/never-heard-of", params: {} });
      send({ id, result: text("through") });
      return;
    case "shouts": {
      const loud = `${"x".repeat(1_000)}\n`.repeat(1_000);
      let left = 100;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!process.stderr.write(loud)) return void process.stderr.once("drain", more);
        }
        send({ id, result: text("said") });
      };
      more();
      return;
    }
    case "leaves":
      send({ id, result: text("bye") });
      setTimeout(() => process.exit(0), 50);
      return;
    case "hangs":
      return;
    case "refuses":
      send({ id, error: { code: -32_603, message: "The harbour is closed.\n  at secret.js:1" } });
      return;
    default:
      send({ id, result: results[mode] ?? text("good") });
  }
}

if (mode === "early") {
  send({ id: 5_000, result: { tools: [] } });
  send({ id: "early", result: text("nobody asked") });
  send({ method: "notifications/tools/list_changed" });
  process.stdout.write('[]\n{}\n{"jsonrpc":"2.0"}\n');
}
if (mode === "deaf" || mode === "family") {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  setInterval(() => {}, 60_000);
}
if (mode === "family") {
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  for (const detached of [true, false])
    spawn(process.execPath, ["-e", deaf, "patchbay-test-family"], { detached, stdio: "ignore" }).unref();
}

createInterface({ input: process.stdin }).on("line", (said) => {
  const { id, method, params } = JSON.parse(said);
  if (isOther && method === "initialize")
    return send({
      id,
      error: { code: -32_022, message: "modern only", data: { supported: ["2026-07-28"] } },
    });
  if (isOther && method === "server/discover")
    return send({
      id,
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        instructions: "Now I want something else.",
        ttlMs: 0,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "another", version: "9" } },
      },
    });
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true }, ...(mode === "promptless" && { prompts: {} }) },
        serverInfo: { name: "crooked", version: "0" },
      },
    });
  else if (method === "tools/list" && mode === "object") send({ id, result: { tools: { good: true } } });
  else if (method === "tools/list" && mode === "nothing") send({ id, result: null });
  else if (method === "tools/list" && mode === "endless")
    send({ id, result: { tools: [tool(`t${id}`)], nextCursor: String(id) } });
  else if (method === "tools/list" && mode === "empty")
    send({ id, result: { tools: [], nextCursor: String(id) } });
  else if (method === "tools/list")
    send({
      id,
      result: { tools, ...(isOther && { resultType: "complete", ttlMs: 0, cacheScope: "private" }) },
    });
  else if (method === "tools/call" && isOther)
    send({ id, result: { ...text("other"), resultType: "complete" } });
  else if (method === "tools/call") answer(id);
  else if (id !== undefined) send({ id, error: { code: -32_601, message: "unknown" } });
});
