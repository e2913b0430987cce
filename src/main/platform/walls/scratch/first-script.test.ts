import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bubblewrap } from "../probe.ts";
import type { Wall } from "../wall.ts";
import { WalledProcess } from "../walled-process.ts";

const asked: string[] = [];
const server = createServer(({ url }, response) => {
  asked.push(String(url));
  response.end("here");
});
const dir = mkdtempSync(join(tmpdir(), "late-proxy-"));
let origin = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a program behind a wall whose only way out is the proxy; resolves with what it printed. */
async function run(name: string, code: string): Promise<string> {
  const file = join(dir, name);
  writeFileSync(file, code);
  const wall: Wall = {
    read: [dir, process.execPath, join(process.cwd(), "node_modules")],
    write: [],
    hidden: [],
    programs: { named: [process.execPath] },
    network: { decide: async () => ({ allowed: true }) },
  };
  const walled = new WalledProcess(wall, { by: "proxy" });
  const command = { file: process.execPath, args: [file], cwd: "/", env: { ORIGIN: origin } };
  const child = walled.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout?.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  await once(child, "close");
  await walled.end();
  return said.trim();
}

const get = `get(process.env.ORIGIN + "/" + where, (answer) => answer.on("data", (data) => console.log(String(data))));`;
const programs: Record<string, string> = {
  "fetch.mjs": `console.log(await (await fetch(process.env.ORIGIN + "/fetch.mjs")).text());`,
  "import.mjs": `import { get } from "node:http"; const where = "import.mjs"; ${get}`,
  "require.cjs": `const { get } = require("http"); const where = "require.cjs"; ${get}`,
  "builtin.mjs": `const { get } = process.getBuiltinModule("http"); const where = "builtin.mjs"; ${get}`,
  "late.mjs": `const { get } = (await import("http")).default; const where = "late.mjs"; ${get}`,
  "npm.cjs": `require(${JSON.stringify(join(process.cwd(), "node_modules/undici"))}).request(process.env.ORIGIN + "/npm.cjs").then(async ({ body }) => console.log(await body.text()));`,
  "worker.mjs": `import { Worker } from "node:worker_threads";
    new Worker('fetch(process.env.ORIGIN + "/worker.mjs").then((answer) => answer.text()).then(console.log)', { eval: true });`,
  "child.mjs": `import { execFileSync } from "node:child_process";
    console.log(execFileSync(process.execPath, ["-e", 'fetch(process.env.ORIGIN + "/child.mjs").then((answer) => answer.text()).then(console.log)'], { encoding: "utf8" }));`,
  "fork.cjs": `const { fork } = require("node:child_process");
    if (process.argv[2]) fetch(process.env.ORIGIN + "/fork.cjs").then((answer) => answer.text()).then(console.log);
    else fork(__filename, ["again"]);`,
};

test.runIf(bubblewrap().file !== null).each(Object.entries(programs))(
  "%s reaches a server through the proxy",
  async (name, code) => {
    expect(await run(name, code)).toBe("here");
    expect(asked).toContain(`/${name}`);
  },
);

test.runIf(bubblewrap().file !== null)("a WebSocket goes through the proxy", async () => {
  // The server knows no WebSockets: what counts is that it was asked.
  await run(
    "socket.mjs",
    `new WebSocket(process.env.ORIGIN.replace("http", "ws") + "/socket").onerror = () => {};`,
  );
  expect(asked).toContain("/socket");
});

test.runIf(bubblewrap().file !== null)("a program that needs no network loads nothing of it", async () => {
  const code = `import "node:fs"; console.log(process.moduleLoadList.filter((name) => /undici|_http_agent/.test(name)).length);`;
  expect(await run("quiet.mjs", code)).toBe("0");
});
