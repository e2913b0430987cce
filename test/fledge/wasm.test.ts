import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import wabtFactory from "wabt";
import { PatchbayError } from "../../src/contract/index.ts";
import { limitMemory } from "../../src/main/runtimes/fledge/wasm/limit-memory.ts";
import { FledgeWorld, type Started } from "./world.ts";

let world: FledgeWorld;
let wabt: Awaited<ReturnType<typeof wabtFactory>>;

beforeAll(async () => {
  world = await FledgeWorld.open();
  wabt = await wabtFactory();
});

afterAll(() => world.close());

/**
 * Parts of test modules: texts at fixed places of the memory, and `say`, which sends the pending response (the slot) as
 * output.
 */
const parts = {
  send: '(import "fledge" "send" (func $send (param i32 i32)))',
  recv: '(import "fledge" "recv" (func $recv (param i32 i32) (result i32)))',
  exit: '(import "fledge" "exit" (func $exit (param i32)))',
  exec: '(import "fledge" "exec" (func $exec (param i32 i32) (result i32)))',
  set: '(import "fledge" "store_set" (func $set (param i32 i32)))',
  get: '(import "fledge" "store_get" (func $get (param i32 i32) (result i32)))',
  metadata: '(import "fledge" "metadata" (func $metadata (param i32 i32) (result i32)))',
  write: '(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))',
  open: '(import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))',
  size: '(import "wasi_snapshot_preview1" "fd_filestat_set_size" (func $size (param i32 i64) (result i32)))',
  read: '(import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))',
};

/** Prints the pending response unchanged to standard output. */
const echoSlot = `
  (func $echo (local $n i32)
    (local.set $n (call $recv (i32.const 4096) (i32.const 60000)))
    (i32.store (i32.const 0) (i32.const 4096))
    (i32.store (i32.const 4) (local.get $n))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))`;

function text(at: number, value: string): { data: string; args: string } {
  const bytes = [...Buffer.from(value)].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
  return {
    data: `(data (i32.const ${at}) "${bytes}")`,
    args: `(i32.const ${at}) (i32.const ${Buffer.byteLength(value)})`,
  };
}

interface Module {
  name: string;
  imports?: (keyof typeof parts)[];
  data?: string;
  functions?: string;
  start: string;
  capabilities?: string;
  memory?: string;
}

async function startModule(module: Module): Promise<Started> {
  const dir = join(world.home, "wasm", module.name);
  await mkdir(dir, { recursive: true });
  const source = `(module
    ${(module.imports ?? []).map((name) => parts[name]).join("\n")}
    (memory (export "memory") ${module.memory ?? "2"})
    ${module.data ?? ""}
    ${module.functions ?? ""}
    (func (export "_start") ${module.start}))`;
  const parsed = wabt.parseWat(`${module.name}.wat`, source);
  await writeFile(join(dir, "plugin.wasm"), parsed.toBinary({}).buffer);
  await writeFile(
    join(dir, "plugin.toml"),
    `[plugin]\nname = "${module.name}"\nversion = "1.0.0"\nprotocol = "fledge-v1"\nruntime = "wasm"\n
[[commands]]\nname = "go"\nbinary = "plugin.wasm"\n\n[capabilities]\n${module.capabilities ?? ""}\n`,
  );
  return world.start(await world.prepare(dir));
}

/** A module that sends one request to the host and prints the answer. */
async function asks(name: string, call: "exec" | "get" | "metadata", argument: string, capabilities: string) {
  const said = text(1024, argument);
  return startModule({
    name,
    imports: [call, "recv", "write"],
    capabilities,
    data: said.data,
    functions: echoSlot,
    start: `(drop (call $${call} ${said.args})) (call $echo)`,
  });
}

const answerOf = async (started: Started) =>
  JSON.parse((await started.text("go")).replace("[raw output]\n", ""));

describe("the fledge imports", () => {
  test("give init first, and take it in parts", async () => {
    const started = await startModule({
      name: "init",
      imports: ["recv", "write"],
      functions: echoSlot,
      start: "(call $echo)",
    });
    expect(await answerOf(started)).toMatchObject({
      type: "init",
      command: "go",
      capabilities: { exec: false },
    });
  });

  test("send outputs and logs; questions are dropped with a warning", async () => {
    const output = text(1024, '{"type":"output","text":"hi"}');
    const question = text(2048, '{"type":"confirm","id":"1","message":"?"}');
    const started = await startModule({
      name: "sender",
      imports: ["send"],
      data: output.data + question.data,
      start: `(call $send ${output.args}) (call $send ${question.args})`,
    });
    expect(await started.text("go")).toBe("hi");
    expect(started.questions).toEqual([]);
    expect(started.logs.map(({ text }) => text)).toContain(
      "A WebAssembly plugin cannot send confirm; it was skipped.",
    );
  });

  test("exec runs in the project and answers the bare value", async () => {
    const started = await asks("execs", "exec", '{"command":"echo $((6*7))"}', "exec = true");
    expect(await answerOf(started)).toEqual({ code: 0, stdout: "42\n", stderr: "" });
  });

  test("store_set and store_get keep texts for the agent", async () => {
    const pair = text(1024, '{"key":"k","value":"v\\"1"}');
    const key = text(2048, "k");
    const started = await startModule({
      name: "stores",
      imports: ["set", "get", "recv", "write"],
      capabilities: "store = true",
      data: pair.data + key.data,
      functions: echoSlot,
      start: `(call $set ${pair.args}) (drop (call $get ${key.args})) (call $echo)`,
    });
    expect(await answerOf(started)).toBe('v"1');
  });

  test("metadata answers by key", async () => {
    const started = await asks("metas", "metadata", '["git_tags","moon"]', "metadata = true");
    expect(await answerOf(started)).toEqual({ git_tags: [], moon: null });
  });

  test("that were not granted are not there, and the capability is named", async () => {
    const started = await asks("ungranted-wasm", "exec", "{}", "");
    await expect(started.call("go")).rejects.toThrow("needs the capability “exec”");
  });

  test("exit ends it, with its code", async () => {
    const code = (value: number) => ({
      name: `exit-${value}`,
      imports: ["exit" as const],
      start: `(call $exit (i32.const ${value})) (unreachable)`,
    });
    expect(await (await startModule(code(0))).text("go")).toBe("[no output]");
    await expect((await startModule(code(4))).call("go")).rejects.toThrow("go ended with exit code 4.");
  });
});

describe("limits", () => {
  test("an endless program is ended by cancel", async () => {
    const started = await startModule({ name: "endless", start: "(loop $again (br $again))" });
    const controller = new AbortController();
    const run = started.call("go", {}, { signal: controller.signal });
    controller.abort(new PatchbayError("ABORTED", "Stopped."));
    await expect(run).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("an endless program is ended after 60 s; the time in which the host works for it does not count", async () => {
    const gate = join(world.workspace, "gate");
    const command = `until [ -e ${gate} ]; do sleep 0.01; done`;
    const asked = text(1024, JSON.stringify({ command, timeout: 300 }));
    const back = text(2048, '{"type":"progress","message":"back"}');
    const started = await startModule({
      name: "endless-60",
      imports: ["exec", "send"],
      capabilities: "exec = true",
      data: asked.data + back.data,
      start: `(drop (call $exec ${asked.args})) (call $send ${back.args}) (loop $again (br $again))`,
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let ended = false;
      let isBack = false;
      const run = started.call("go", {}, { onUpdate: () => (isBack = true) }).finally(() => {
        ended = true;
      });
      const failed = expect(run).rejects.toMatchObject({
        code: "TOOL_TIMEOUT",
        message: expect.stringContaining("longer than 60 s"),
      });
      while (!started.logs.some(({ text }) => text.startsWith("Runs: "))) await turn();
      vi.advanceTimersByTime(200_000);
      await writeFile(gate, "");
      while (!isBack) await turn();
      expect(ended).toBe(false);
      vi.advanceTimersByTime(50_000);
      for (let round = 0; round < 50; round += 1) await turn();
      expect(ended).toBe(false);
      vi.advanceTimersByTime(10_000);
      await failed;
    } finally {
      vi.useRealTimers();
    }
  });

  test("memory does not grow above 256 MiB, and a module that wants more does not start", async () => {
    const grow = text(1024, '{"type":"output","text":"refused"}');
    const grown = text(2048, '{"type":"output","text":"grown"}');
    const body = `(if (i32.eq (memory.grow (i32.const 4096)) (i32.const -1))
      (then (call $send ${grow.args})) (else (call $send ${grown.args})))`;
    const started = await startModule({
      name: "grows",
      imports: ["send"],
      data: grow.data + grown.data,
      start: body,
    });
    expect(await started.text("go")).toBe("refused");
    const greedy = await startModule({ name: "greedy", start: "", memory: "5000" });
    await expect(greedy.call("go")).rejects.toThrow("it wants 320000 KiB of memory; 262144 KiB are given");
  });

  test("a trap, a pointer outside the memory and a file that is no module are failures in words", async () => {
    const trap = await startModule({ name: "trap", start: "(unreachable)" });
    await expect(trap.call("go")).rejects.toThrow("The WebAssembly program failed");
    const outside = await startModule({
      name: "outside",
      imports: ["send"],
      start: "(call $send (i32.const -8) (i32.const 64))",
    });
    await expect(outside.call("go")).rejects.toThrow("points outside its memory");
    expect(() => limitMemory(Buffer.from("\0asm\x01\0\0\0\x05\xff", "latin1"))).toThrow("ends too early");
  });
});

describe("files", () => {
  /** Opens a path below a preopened folder and prints the error number. */
  const opens = (
    name: string,
    fd: number,
    path: string,
    flags: { open?: number; rights?: number; lookup?: number },
    capabilities: string,
  ) => {
    const place = text(1024, path);
    return startModule({
      name,
      imports: ["open", "write"],
      capabilities,
      data: place.data,
      start: `
        (i32.store8 (i32.const 100) (i32.add (i32.const 48) (call $open (i32.const ${fd}) (i32.const ${flags.lookup ?? 1}) ${place.args}
          (i32.const ${flags.open ?? 0}) (i64.const ${flags.rights ?? 2}) (i64.const 0) (i32.const 0) (i32.const 200))))
        (i32.store (i32.const 0) (i32.const 100))
        (i32.store (i32.const 4) (i32.const 1))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))`,
    });
  };
  const errnoOf = async (started: Started) =>
    (await started.text("go")).replace("[raw output]\n", "").charCodeAt(0) - 48;
  const write = { open: 1, rights: 64 };

  beforeAll(async () => {
    await writeFile(join(world.workspace, "here.txt"), "content");
    await symlink("/etc/passwd", join(world.workspace, "leads-out"));
    await symlink("here.txt", join(world.workspace, "leads-in"));
  });

  test("in its own folder are kept up to 256 MB; what it removes makes room again", async () => {
    const place = text(1024, "big.bin");
    const sizes = [200, 300, 256, 0, 256];
    const started = await startModule({
      name: "files-quota",
      imports: ["open", "write", "size"],
      capabilities: 'filesystem = "plugin"',
      data: place.data,
      start: `
        (drop (call $open (i32.const 4) (i32.const 0) ${place.args}
          (i32.const 1) (i64.const 64) (i64.const 0) (i32.const 0) (i32.const 200)))
        ${sizes
          .map(
            (size, at) => `(i32.store8 (i32.const ${100 + at}) (i32.add (i32.const 48)
              (call $size (i32.load (i32.const 200)) (i64.const ${size * 1024 * 1024}))))`,
          )
          .join("\n")}
        (i32.store (i32.const 0) (i32.const 100))
        (i32.store (i32.const 4) (i32.const ${sizes.length}))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))`,
    });
    const answers = (await started.text("go")).replace("[raw output]\n", "");
    // Each answer is 48 and the error number, which is 51 where there is no room.
    expect([...answers].map((letter) => letter.charCodeAt(0) - 48)).toEqual([0, 51, 0, 0, 0]);
  });

  test.each<[string, number, string, { open?: number; rights?: number; lookup?: number }, string, number]>([
    ["none: nothing is mounted", 3, "here.txt", {}, "", 8],
    ["project: is read", 3, "here.txt", {}, 'filesystem = "project"', 0],
    ["project: a link inside is followed", 3, "leads-in", {}, 'filesystem = "project"', 0],
    ["project: a link that leads out is not", 3, "leads-out", {}, 'filesystem = "project"', 76],
    ["project: nor when it is not followed", 3, "leads-out", { lookup: 0 }, 'filesystem = "project"', 32],
    ["project: climbing out is refused", 3, "../x", {}, 'filesystem = "project"', 76],
    ["project: an absolute path is refused", 3, "/etc/passwd", {}, 'filesystem = "project"', 76],
    ["project: is not written", 3, "here.txt", write, 'filesystem = "project"', 69],
    ["project: nothing is made in it", 3, "new.txt", write, 'filesystem = "project"', 69],
    ["project: is not cut", 3, "here.txt", { open: 8 }, 'filesystem = "project"', 69],
    ["plugin: the project stays read-only", 3, "here.txt", write, 'filesystem = "plugin"', 69],
    ["plugin: its own folder is written", 4, "mine.txt", write, 'filesystem = "plugin"', 0],
  ])("%s", async (title, fd, path, flags, capabilities, expected) => {
    const started = await opens(`files-${title.replace(/[^a-z]+/g, "-")}`, fd, path, flags, capabilities);
    expect(await errnoOf(started)).toBe(expected);
    expect(await readFile(join(world.workspace, "here.txt"), "utf8")).toBe("content");
  });
});
