import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import wabtFactory from "wabt";
import type { Attempt } from "../../src/main/platform/walls/wall.ts";
import { FledgeWorld, type Started } from "../fledge/world.ts";

/** WebAssembly modules: their process, and what stays when a module breaks out of its engine. */
let folder: string;
let world: FledgeWorld;
let wabt: Awaited<ReturnType<typeof wabtFactory>>;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "patchbay-hostile-")));
  world = await FledgeWorld.open();
  wabt = await wabtFactory();
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function install(at: FledgeWorld, name: string, source: string): Promise<Started> {
  const dir = join(at.home, "wasm", name);
  await mkdir(dir, { recursive: true });
  const parsed = wabt.parseWat(`${name}.wat`, source, { reference_types: true });
  await writeFile(join(dir, "plugin.wasm"), parsed.toBinary({}).buffer);
  await writeFile(
    join(dir, "plugin.toml"),
    `[plugin]\nname = "${name}"\nversion = "1.0.0"\nprotocol = "fledge-v1"\nruntime = "wasm"\n
[[commands]]\nname = "go"\nbinary = "plugin.wasm"\n\n[capabilities]\nfilesystem = "plugin"\n`,
  );
  return at.start(await at.prepare(dir));
}

const nothing = '(module (memory (export "memory") 1) (func (export "_start")))';
const write =
  '(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))';

test("a module that fills tables, which no limit of its memory covers, ends itself alone", async () => {
  const tables = Array.from({ length: 60 }, (_, at) => `(table $t${at} 1 externref)`);
  const grow = tables.map((_, at) => `(drop (table.grow $t${at} (ref.null extern) (i32.const 9000000)))`);
  const greedy = await install(
    world,
    "tables",
    `(module ${tables.join(" ")} (memory (export "memory") 1) (func (export "_start") ${grow.join(" ")} (loop $l (br $l))))`,
  );
  const before = process.memoryUsage().rss;
  const over = new AbortController();
  const run = greedy.call("go", {}, { signal: over.signal });
  const ended = expect(run).rejects.toThrow();
  // Its memory is not ours, however much it takes; 4 GB in tables would be the end of this process.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  over.abort(new Error("enough"));
  await ended;
});

test("a module that prints for ever fills no memory of Patchbay, and is stopped", async () => {
  const printer = await install(
    world,
    "printer",
    `(module ${write} (memory (export "memory") 200) (func (export "_start")
       (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 12000000))
       (loop $l (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))) (br $l))))`,
  );
  const before = process.memoryUsage().rss;
  const over = new AbortController();
  const run = printer.call("go", {}, { signal: over.signal });
  const ended = expect(run).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  over.abort(new Error("enough"));
  await ended;
});

/** What a module could do that has broken out: code in its process, in the place of ours. */
const broken = `
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
const tries = {
  key: () => readFileSync(join(homedir(), ".ssh", "id_ed25519"), "utf8"),
  token: () => readFileSync(join("ROOT", "gateway.json"), "utf8"),
  workspace: () => readdirSync("WORKSPACE"),
  etc: () => readFileSync("/etc/shadow", "utf8"),
  environ: () => readFileSync("/proc/PARENT/environ", "utf8"),
  program: () => spawnSync("/bin/sh", ["-c", "echo ran"]).stdout.toString(),
  signal: () => process.kill(PARENT, 0),
  write: () => writeFileSync(join("ROOT", "planted"), "x"),
};
const got = {};
for (const [name, attempt] of Object.entries(tries)) {
  try { got[name] = attempt(); } catch (error) { got[name] = { stopped: error.code }; }
}
got.network = await new Promise((done) => {
  const socket = connect({ host: "127.0.0.1", port: NETWORK }, () => done("reached"));
  socket.on("error", (error) => done({ stopped: error.code }));
});
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
say({ t: "printed", stream: "stdout", base64: Buffer.from(JSON.stringify(got)).toString("base64") });
process.stdout.write("garbage\\n" + JSON.stringify({ t: "granted" }) + "\\n");
say({ t: "ended", code: 0 });
`;

test("a module that breaks out of its engine finds the wall: no files, no network, no programs", async () => {
  const { createServer } = await import("node:net");
  const server = createServer((socket) => socket.end());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const worker = join(folder, "main", "worker.mjs");
  await mkdir(join(folder, "main"));
  const outbreak = await FledgeWorld.open(worker);
  const { port } = server.address() as { port: number };
  await writeFile(
    worker,
    broken
      .replaceAll("WORKSPACE", outbreak.workspace)
      .replaceAll("ROOT", outbreak.home)
      .replaceAll("PARENT", String(process.pid))
      .replace("NETWORK", String(port)),
  );
  await writeFile(join(outbreak.home, "gateway.json"), "the token");
  const refused: Attempt[] = [];
  const plugin = await install(outbreak, "outbreak", nothing);
  const again = await outbreak.start(await outbreak.prepare(join(outbreak.home, "wasm", "outbreak")), {
    walls: {
      grants: {
        network: { reach: "none", hosts: [], refused: [] },
        files: { workspace: "none", folders: [] },
        programs: { reach: "none", names: [] },
      },
      judge: { decide: async () => ({ allowed: true }) },
      refused: (attempt) => void refused.push(attempt),
    },
  });
  await plugin.instance.stop("shutdown");
  const got = JSON.parse((await again.text("go")).replace("[raw output]\n", "").split("\n")[0] ?? "");
  // What it could read of the home folder and of Patchbay's are empty bait.
  expect(got).toMatchObject({
    key: "",
    workspace: { stopped: expect.any(String) },
    etc: { stopped: expect.any(String) },
    environ: { stopped: expect.any(String) },
    program: { stopped: "ERR_ACCESS_DENIED" },
    signal: { stopped: "ESRCH" },
    network: { stopped: expect.any(String) },
  });
  expect(JSON.stringify(got)).not.toContain("the token");
  await again.instance.stop("shutdown");
  expect(refused).toContainEqual({
    wall: "files",
    target: join(homedir(), ".ssh", "id_ed25519"),
    seenBy: "wall",
  });
  server.close();
  await outbreak.close();
});

test("an honest module with a folder of its own is accused of nothing", async () => {
  const refused: Attempt[] = [];
  await install(world, "honest", nothing);
  const honest = await world.start(await world.prepare(join(world.home, "wasm", "honest")), {
    walls: {
      grants: {
        network: { reach: "none", hosts: [], refused: [] },
        files: { workspace: "write", folders: [] },
        programs: { reach: "none", names: [] },
      },
      judge: { decide: async () => ({ allowed: true }) },
      refused: (attempt) => void refused.push(attempt),
    },
  });
  await honest.call("go");
  await honest.instance.stop("shutdown");
  expect(refused).toEqual([]);
});
