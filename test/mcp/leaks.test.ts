import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, connectSocket } from "../gateway/support.ts";
import { linesOfProcesses } from "../support/processes.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { leaksIn } from "../support/spellings.ts";
import { crookedHttp } from "./servers/crooked-http.ts";
import { HttpServer } from "./servers/over-http.ts";

/** A server that tells what it was given in every way that servers have. */
const gossip = `
import { createInterface } from "node:readline";
const known = [process.env.CANARY, process.argv[2]];
const spell = (text) => [text, JSON.stringify({ text }), encodeURIComponent(text), Buffer.from(text).toString("base64"), Buffer.from("user:" + text).toString("base64")];
const all = known.flatMap(spell).join(" ");
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
console.error("err " + all);
console.log("noise " + all);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const tool = (name) => ({ name, description: "Says " + all, inputSchema: { type: "object" } });
  if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, instructions: "Know " + all,
    capabilities: { tools: {} }, serverInfo: { name: "gossip", version: all } } });
  else if (method === "tools/list") send({ id, result: { tools: [tool("tell"), tool("fail"), tool("refuse"), tool("die")] } });
  else if (method === "tools/call") {
    send({ method: "notifications/message", params: { level: "info", data: all } });
    if (params._meta?.progressToken !== undefined)
      send({ method: "notifications/progress", params: { progressToken: params._meta.progressToken, progress: 1, message: all } });
    if (params.name === "tell") send({ id, result: { content: [{ type: "text", text: all }], structuredContent: { all } } });
    else if (params.name === "fail") send({ id, result: { isError: true, content: [{ type: "text", text: "bad " + all }] } });
    else if (params.name === "refuse") send({ id, error: { code: -32603, message: "bad " + all } });
    else { console.error("last words " + all); process.exit(3); }
  }
});`;

const secrets = {
  environment: 'sword"fish+ü/ 7731\\of-the-environment',
  argument: "canary-of-the-argument-4711-ä",
  header: "canary-of-the-header-0815",
};

let folder: string;
let app: RunningApp;
let client: Client;
let server: HttpServer;
/** Everything that the core sent to screens, scripts and the command line. */
const traffic: string[] = [];
let lines: string[] = [];

async function install(key: string, file: object, config: Record<string, unknown>) {
  const dir = join(folder, key);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "server.mjs"), gossip);
  const whole = { schema: 1, name: key, origin: { kind: "manual" }, ...file };
  await writeFile(join(dir, "patchbay-mcp.json"), JSON.stringify(whole));
  traffic.push(JSON.stringify(await app.cli("plugin", "install", dir, "--yes")));
  traffic.push(
    JSON.stringify(await app.rest("PUT", `/agents/helper/plugins/${key}`, { enabled: true, config })),
  );
}

const secret = (name: string) => ({ name, secret: true, required: true });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-mcp-leaks-"));
  app = await startApp(join(folder, "home"));
  const { client: connected, socket } = await connectSocket(app);
  client = connected;
  socket.on("message", (data) => traffic.push(data.toString()));
  server = await HttpServer.open(
    crookedHttp((response, id, request) => {
      const text = `heard ${request.headers.authorization} ${request.headers["x-key"]}`;
      const result = { content: [{ type: "text", text }] };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    }),
  );
  const started = {
    type: "node",
    entry: "server.mjs",
    args: [{ input: "arg" }],
    env: { CANARY: { input: "key" } },
  };
  await install(
    "gossip",
    { server: started, inputs: [secret("key"), secret("arg")] },
    {
      key: secrets.environment,
      arg: secrets.argument,
    },
  );
  const headers = { Authorization: { join: ["Bearer ", { input: "key" }] }, "X-Key": { input: "key" } };
  await install(
    "distant",
    { server: { type: "remote", url: server.url, headers }, inputs: [secret("key")] },
    { key: secrets.header },
  );

  for (const name of ["gossip__tell", "gossip__fail", "gossip__refuse", "distant__good"]) {
    const call = client.tools.call({ agentId: "helper", name, yes: true });
    traffic.push(JSON.stringify(await call.catch((error: Error) => error.message)));
  }
  lines = await linesOfProcesses();
  const script = join(folder, "script.json");
  const calls = ["gossip__tell", "distant__good", "gossip__die"].map((tool) => ({ tool }));
  await writeFile(script, JSON.stringify([{ call: calls }, { say: "Done." }]));
  await app.rest("PATCH", "/agents/helper", { model: { kind: "scripted", file: script } });
  traffic.push(JSON.stringify(await app.cli("agent", "prompt", "helper", "Tell me all.", "--yes")));
  for (const path of [
    "/snapshot",
    "/secrets",
    "/tools?agentId=helper",
    "/agents/helper/plugins/gossip/logs",
    "/agents/helper/plugins/distant/logs",
  ])
    traffic.push(JSON.stringify(await app.rest("GET", path)));
  for (const key of ["gossip", "distant"]) traffic.push(JSON.stringify(await app.cli("plugin", "info", key)));
}, 120_000);
afterAll(async () => {
  await app?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test("secrets of MCP servers reach no screen, no script and no command, whatever their servers say", () => {
  const all = traffic.join("\n");
  for (const said of ["err •••", "bad •••", "last words •••", "heard Bearer •••"])
    expect(all).toContain(said);
  expect(leaksIn(all, secrets)).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "what a server takes as a variable or a header stands in no command line",
  () => {
    expect(lines.some((line) => line.includes("server.mjs"))).toBe(true);
    const { argument: _, ...hidden } = secrets;
    expect(leaksIn(lines.join("\n"), hidden)).toEqual([]);
  },
);

test("they are in no file of the home folder and not in the diagnostics", async () => {
  const report = await client.diagnostics.gather();
  const zip = await client.diagnostics.archive({ id: report.id });
  const archive = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  const texts = Object.entries(archive).map(([name, bytes]) => `${name}\n${strFromU8(bytes)}`);
  expect(texts.some((text) => text.includes("gossip__tell"))).toBe(true);
  expect(leaksIn(texts.join("\n"), secrets)).toEqual([]);

  const entries = await readdir(join(folder, "home"), { withFileTypes: true, recursive: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    for (const leak of leaksIn(await readFile(file), secrets)) found.push(`${file}: ${leak}`);
  }
  expect(found).toEqual([]);
});
