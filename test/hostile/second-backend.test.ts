import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linesOfProcesses } from "../support/processes.ts";
import { type Attacker, HostileWorld, loot, type Tools } from "./support.ts";

/** The walls of other systems (`platform/walls/other-systems`), with the same attacks, on Linux. */
let world: HostileWorld;
/** Declares nothing. */
let mallory: Attacker;
/** May use the workspace. */
let writer: Attacker;
/** May start programs. */
let runner: Attacker;
/** Declares one host: `localhost` with the port of the test's server. */
let caller: Attacker;
let server: Server;
let port: number;
let workspace: string;
let core: number;

beforeAll(async () => {
  server = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  world = await HostileWorld.open(resolve("test/support/behind-other-walls.ts"));
  core = world.app.process.pid as number;
  workspace = join(world.home, "agents/helper/workspace");
  mallory = await world.plugin("mallory");
  writer = await world.plugin("writer", { files: "workspace" });
  runner = await world.plugin("runner", { subprocess: true });
  caller = await world.plugin("caller", { network: [`localhost:${port}`] });
});
afterAll(async () => {
  server.close();
  await world[Symbol.asyncDispose]();
});

const read = ({ require, arg }: Tools) => require("node:fs").readFileSync(arg, "utf8");
const sh = ({ require, arg }: Tools) => {
  const { stdout, stderr } = require("node:child_process").spawnSync("/bin/sh", ["-c", arg], {
    encoding: "utf8",
  });
  return stdout + stderr;
};
/** What `fetch` hides behind "fetch failed". */
const why = async ({ arg }: { arg: string }) =>
  fetch(arg).then(
    (answer) => answer.text(),
    (error: { cause?: { code?: string } }) => ({ stopped: error.cause?.code }),
  );

async function loots(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, loot);
  return path;
}

test("the person is told which wall stands, and what it leaves open", async () => {
  const walls = (await world.app.rest("POST", "/walls/look")) as { by: string; gaps: string[] };
  expect(walls).toMatchObject({ stands: true, by: expect.stringContaining("sandbox-runtime 0.0.83") });
  expect(walls.gaps.join(" ")).toContain("is not limited");
});

test.each([".ssh/id_ed25519", ".aws/credentials"])(
  "a plugin that reads the person's %s gets nothing, by its name or from its own home folder",
  async (name) => {
    const path = join(world.person, name);
    world.expectNothing(await mallory.run(read, path));
    await mallory.seen("files", path);
    const own = await writer.run(
      ({ require, arg }) => require("node:fs").readFileSync(`${require("node:os").homedir()}/${arg}`, "utf8"),
      name,
    );
    expect(own.value).toBe("");
    expect(await writer.seen("files", path)).toMatchObject({ seenBy: "wall" });
  },
);

test.each(["gateway.json", "vault.key", "vault.json"])(
  "a plugin that reads Patchbay's %s does not get it, nor do programs that it may start",
  async (name) => {
    const path = join(world.home, name);
    expect((await mallory.run(read, path)).value).toBeUndefined();
    await mallory.seen("files", path);
    const got = await runner.run(sh, `cat ${path}`);
    world.expectNothing(got);
    expect(got.value).toContain("No such file");
  },
);

test("a plugin does not get the workspace of another agent, nor its own agent's without permission", async () => {
  const others = await loots(join(world.home, "agents/other/workspace/plan.txt"));
  const own = await loots(join(workspace, "plan.txt"));
  for (const path of [others, own]) world.expectNothing(await mallory.run(read, path));
  world.expectNothing(await writer.run(read, others));
  world.expectNothing(await runner.run(sh, `cat ${others} ${own}; ls -R ${world.person} ${world.home}`));
  await writer.seen("files", others);
  // With the permission the same code works.
  expect((await writer.run(read, own)).value).toBe(loot);
});

test("a plugin that writes outside of what it was granted changes nothing", async () => {
  const targets = [
    join(world.person, ".bashrc"),
    join(world.home, "evil"),
    "/etc/patchbay-evil",
    "/var/tmp/patchbay-evil",
  ];
  const got = await mallory.run(
    ({ require, arg, each }) =>
      each(
        Object.fromEntries(
          arg.map((path: string) => [path, () => require("node:fs").writeFileSync(path, "evil")]),
        ),
      ),
    targets,
  );
  await runner.run(sh, targets.map((path) => `echo evil > ${path}`).join("; "));
  for (const path of targets) {
    expect(Object(got.value)[path]).toHaveProperty("stopped");
    await expect(readFile(path, "utf8")).rejects.toThrow("ENOENT");
    await mallory.seen("files", path);
  }
  await writer.run(({ require }) => require("node:fs").writeFileSync("own.txt", "mine"));
  expect(await readFile(join(workspace, "own.txt"), "utf8")).toBe("mine");
});

test("a plugin that signals, traces or reads the core gets nothing, also by programs", async () => {
  const got = await mallory.run(
    ({ arg, each }) => each({ exists: () => process.kill(arg, 0), end: () => process.kill(arg, "SIGKILL") }),
    core,
  );
  expect(got.value).toEqual({ exists: { stopped: "ESRCH" }, end: { stopped: "ESRCH" } });
  await mallory.seen("signals", `process ${core}`);
  const script = `kill -9 ${core}; cat /proc/${core}/environ; head -c 1 /proc/${core}/mem && echo memory; cat /proc/[0-9]*/environ`;
  const programs = await runner.run(sh, script);
  world.expectNothing(programs);
  expect(programs.value).not.toContain("memory");
  expect(world.app.process.exitCode).toBeNull();
});

test("a plugin that declares no network reaches no server; with the host granted the same code does", async () => {
  const address = `http://localhost:${port}/`;
  expect((await mallory.run(why, address)).value).toEqual({ stopped: "EACCES" });
  expect(await mallory.seen("network", `localhost:${port}`)).toMatchObject({ seenBy: "wall" });
  expect((await caller.run(why, address)).value).toBe("hello");
});

test("an undeclared host is a question to the person, who knows which plugin asks", async () => {
  const got = caller.run(why, "http://evil.example/");
  const asked = await question("evil.example");
  expect(asked.pluginKey).toBe("caller");
  await world.app.rest("POST", `/dialogs/${asked.id}/answer`, { answer: "no" });
  expect((await got).value).toEqual({ stopped: "EACCES" });
  await caller.seen("network", "evil.example:80");
});

test("programs that know no door reach nothing, neither by themselves nor by the proxy of the library", async () => {
  const token = "curl -sS -m 3 --noproxy '*'";
  const got = await runner.run(
    sh,
    `${token} http://127.0.0.1:${port}/; ${token} http://1.1.1.1/; curl -sS -m 3 -x http://127.0.0.1:3128 http://127.0.0.1:${port}/; echo $HTTP_PROXY`,
  );
  expect(got.value).not.toContain("hello");
  expect(got.value).toContain("This proxy serves plugins of Patchbay alone.");
});

test("a plugin finds no door of another plugin", async () => {
  const got = await runner.run(sh, "ls -d /tmp/patchbay-wall-*; ls /tmp/patchbay-wall-*");
  expect(String(got.value).match(/^\/tmp\/patchbay-wall-[^/]+$/gm)).toHaveLength(1);
});

test("what a plugin leaves running ends with it", async () => {
  const ghost = await world.plugin("ghost", { subprocess: true });
  const mark = `87${process.pid}`;
  await ghost.run(sh, `setsid sh -c 'trap "" HUP TERM; exec sleep ${mark}' > /dev/null 2>&1 &`);
  await expect.poll(() => sleeping(mark)).not.toEqual([]);
  await world.app.rest("PUT", "/agents/helper/plugins/ghost", { enabled: false });
  await expect.poll(() => sleeping(mark), { timeout: 10_000 }).toEqual([]);
});

async function sleeping(mark: string): Promise<string[]> {
  return (await linesOfProcesses()).filter((line) => line.includes(`sleep\0${mark}`));
}

async function question(message: string): Promise<{ id: string; pluginKey: string }> {
  for (;;) {
    const open = (await world.app.rest("GET", "/dialogs")) as {
      id: string;
      pluginKey: string;
      question: { message: string };
    }[];
    const found = open.find((each) => each.question.message.includes(message));
    if (found) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
}
