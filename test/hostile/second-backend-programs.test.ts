import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashTree } from "../../src/main/catalog/tree.ts";
import { Program } from "../../src/main/platform/program.ts";
import { chooseBackend } from "../../src/main/platform/walls/other-systems/backend.ts";
import type { Attempt, NetworkJudge, Wall } from "../../src/main/platform/walls/wall.ts";
import { FledgeWorld } from "../fledge/world.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { environmentsBelow, linesOfProcesses } from "../support/processes.ts";

/** Programs of plugins behind the walls of other systems, on Linux: they share one library and one proxy. */
let folder: string;
let server: Server;
let address: string;

beforeAll(async () => {
  chooseBackend("sandbox-runtime");
  folder = await mkdtemp("/var/tmp/patchbay-second-");
  server = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.close();
  chooseBackend("bubblewrap");
  await rm(folder, { recursive: true, force: true });
});

const all: NetworkJudge = { decide: async () => ({ allowed: true }) };
const none: NetworkJudge = { decide: async () => ({ allowed: false, why: "Nobody allowed it." }) };

/** A folder of its own for each, with a secret in it. */
async function own(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "secret"), `secret-of-${name}`);
  return path;
}

function start(
  script: string,
  wall: Partial<Wall>,
): { program: Program; ended: Promise<string>; refused: Attempt[] } {
  const refused: Attempt[] = [];
  const program = new Program({
    file: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    input: true,
    wall: {
      read: [],
      write: [],
      hidden: [],
      programs: "any",
      refused: (attempt) => void refused.push(attempt),
      ...wall,
    },
  });
  let text = "";
  for (const stream of [program.stdout, program.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  return { program, refused, ended: program.ended.then(() => text) };
}

test("plugins that start at the same time get what was granted to each, and nothing of the others", async () => {
  const names = ["one", "two", "three", "four"];
  const folders = await Promise.all(names.map(own));
  const script = `for each in ${folders.join(" ")}; do cat $each/secret && echo; echo x >> $each/written; done 2>/dev/null`;
  const said = await Promise.all(folders.map((path) => start(script, { write: [path] }).ended));
  expect(said.map((text) => text.trim())).toEqual(names.map((name) => `secret-of-${name}`));
});

test("a program reaches what its own judge allows; another's is refused at the same proxy", async () => {
  const allowed = start(`curl -sS -m 5 ${address}`, { network: all });
  const refused = start(`curl -sS -m 5 ${address}; curl -sS -m 5 https://evil.example/`, { network: none });
  expect(await allowed.ended).toBe("hello");
  expect(await refused.ended).toContain("Nobody allowed it.");
  expect(refused.refused).toContainEqual({ wall: "network", target: "evil.example:443", seenBy: "wall" });
  expect(allowed.refused).toEqual([]);
});

test("a program without network that finds the proxy of the others gets nothing from it", async () => {
  const other = start("read line", { network: all });
  const script = `curl -sS -m 5 -x http://127.0.0.1:3128 ${address}; curl -sS -m 5 -x http://patchbay:guess@127.0.0.1:3128 ${address}; env`;
  const text = await start(script, {}).ended;
  expect(text).not.toContain("hello");
  expect(text).toContain("This proxy serves plugins of Patchbay alone.");
  expect(text).not.toContain("HTTP_PROXY");
  other.program.stdin?.end();
  await other.ended;
});

test("the password for the proxy, and a plugin's secrets, stand in no command line", async () => {
  const { program, ended } = start("echo $HTTPS_PROXY; read line", { network: all });
  const [chunk] = (await once(program.stdout, "data")) as [Buffer];
  const password = /patchbay:([\w-]{32})@/.exec(chunk.toString())?.[1] ?? "";
  expect(password).not.toBe("");
  expect((await linesOfProcesses()).filter((line) => line.includes(password))).toEqual([]);
  program.stdin?.end();
  await ended;
});

test("what a program leaves running ends with it, and with the last one what the library runs", async () => {
  const mark = `88${process.pid}`;
  await start(`setsid sh -c 'trap "" HUP TERM; exec sleep ${mark}' > /dev/null 2>&1 & echo`, {}).ended;
  const left = async () => [
    ...(await linesOfProcesses()).filter((line) => line.includes(mark)),
    ...(await environmentsBelow(process.pid)).filter((line) => line.startsWith("socat")),
  ];
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
});

test("a fledge plugin changes nothing in its folder, also where it lies in the workspace (on Linux nobody sees that here)", async () => {
  await using world = await FledgeWorld.open();
  const files = {
    "plugin.toml": `[plugin]
name = "fixed"
version = "1.0.0"
[capabilities]
exec = true
[[commands]]
name = "sh"
binary = "run"
args = [{ name = "script", type = "string", required = true }]
`,
    run: '#!/bin/sh\ncd "$FLEDGE_PLUGIN_DIR" && eval "$1"\n',
    helper: "checked",
  };
  const installed = join(world.home, "plugins", "fixed");
  const linked = join(world.workspace, "fixed");
  for (const dir of [installed, linked]) {
    await writeFiles(dir, files);
    const plugin = await world.prepare(dir);
    const kind = dir === linked ? ("link" as const) : plugin.source.kind;
    const before = await hashTree(dir);
    const started = await world.start({ ...plugin, source: { ...plugin.source, kind } });
    const script =
      "{ echo bad > helper; rm -f helper; echo x > new; chmod 777 run; mv helper h; } 2>&1; cat helper";
    expect(await started.text("sh", { script })).toMatch(/Read-only(?:.|\n)*checked$/);
    expect(await hashTree(dir)).toBe(before);
    expect(
      await started.text("sh", {
        script: `echo fine > ${world.workspace}/own && cat ${world.workspace}/own`,
      }),
    ).toBe("fine\n");
  }
});
