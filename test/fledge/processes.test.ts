import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PatchbayError, type Plugin } from "../../src/contract/index.ts";
import type { PluginCall, ToolOutput } from "../../src/main/runtimes/plugin-call.ts";
import { dirOf } from "../support/dir-of.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { callScope } from "../support/pool-world.ts";
import { isRunning, openDescriptors, processesOf, zombies } from "./processes.ts";
import { FledgeWorld, type Started } from "./world.ts";

let world: FledgeWorld;
let probePlugin: Plugin;
let probe: Started;
let plain: Started;

beforeAll(async () => {
  world = await FledgeWorld.open();
  probePlugin = await world.install("probe");
  probe = await world.start(probePlugin);
  plain = await world.start(await world.install("plain"));
});

afterAll(() => world.close());

test("calls that fledge plugins know nothing of are refused in one way", async () => {
  const unknown: PluginCall[] = [
    { kind: "command", name: "x", args: "" },
    { kind: "webhook", request: { headers: {}, rawBody: new Uint8Array() } },
    { kind: "send", message: { sessionId: "s", to: "x", text: "hi" } },
    { kind: "prompt", name: "x", args: {} },
    { kind: "resource", uri: "x://y" },
  ];
  for (const call of unknown) {
    await expect(probe.instance.call(call, callScope())).rejects.toMatchObject({ code: "CALL_UNSUPPORTED" });
  }
});

describe("the end of a run", () => {
  test("with an exit code is told with what the program said of it", async () => {
    await expect(probe.call("probe", { mode: "exit", text: "3" })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "probe ended with exit code 3.\nhalf done\nerror: it went wrong\nstderr:\ntrace of it",
      details: { exitCode: 3, argv: ["exit", "3"] },
    });
  });

  test("by a signal names it", async () => {
    await expect(probe.call("probe", { mode: "kill" })).rejects.toThrow("was ended by SIGKILL");
  });

  test("by cancel reaches the plugin as a line, and nothing is answered after it", async () => {
    const file = join(world.workspace, "cancel-line");
    const controller = new AbortController();
    const run = probe.call(
      "probe",
      { mode: "cancel", text: file },
      {
        signal: controller.signal,
        onUpdate: () => controller.abort(new PatchbayError("ABORTED", "Stopped.")),
      },
    );
    await expect(run).rejects.toMatchObject({ code: "ABORTED" });
    expect(await readFile(file, "utf8")).toBe('{"type":"cancel","reason":"user_interrupt"}\n');
  });

  test("by a time limit says so to the plugin", async () => {
    const file = join(world.workspace, "late-line");
    const controller = new AbortController();
    const late = new PatchbayError("TOOL_TIMEOUT", "Too late.");
    const run = probe.call(
      "probe",
      { mode: "cancel", text: file },
      { signal: controller.signal, onUpdate: () => controller.abort(late) },
    );
    await expect(run).rejects.toBe(late);
    expect(await readFile(file, "utf8")).toContain('"reason":"timeout"');
  });

  test("comes by force where a program does not listen", async () => {
    const controller = new AbortController();
    const begin = performance.now();
    const run = probe.call(
      "probe",
      { mode: "deaf" },
      {
        signal: controller.signal,
        onUpdate: () => controller.abort(new PatchbayError("ABORTED", "Stopped.")),
      },
    );
    await expect(run).rejects.toMatchObject({ code: "ABORTED" });
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  test("closes an open question", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const started = await world.start(await world.install("hello"), {
      answer: (_question, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener("abort", () => {
            closed.resolve();
            resolve(null);
          });
          controller.abort(new PatchbayError("ABORTED", "Stopped."));
        }),
    });
    await expect(started.call("reset", {}, { signal: controller.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    await closed.promise;
  });

  test("does not wait for what the program left running, and that is gone", async () => {
    const begin = performance.now();
    await probe.text("probe", { mode: "grandchild" });
    expect(performance.now() - begin).toBeLessThan(5_000);
    await until(() => processesOf(dirOf(probePlugin)).every((pid) => !isRunning(pid)));
  });

  test("does not wait for a daemon that left the group, and ends that, too", async () => {
    const file = join(world.workspace, "daemon");
    expect(await probe.text("probe", { mode: "daemon", text: file })).toBe("daemon");
    await until(() => processesOf(dirOf(probePlugin)).every((pid) => !isRunning(pid)));
  });

  test("is no failure of the host when the program closed its input", async () => {
    expect(await probe.text("probe", { mode: "close-stdin" })).toBe("deaf but well");
  });

  test("takes what runs along when the plugin stops", async () => {
    const started = await world.start(await world.install("plain"));
    const waiting = started.call("wait");
    const failed = expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
    await turn();
    await started.instance.stop("disabled");
    await failed;
    expect(await started.instance.exited).toEqual({ code: 0, signal: null });
  });
});

describe("much output", () => {
  test("of 1 GB is read to its end and cut, with no more memory than throwing it away takes", {
    timeout: 240_000,
  }, async () => {
    const dir = dirOf(probePlugin);
    // V8's memory for new objects alone grows to 64 MB where much passes through, and a slow machine uses more of it.
    const mostMore = 96 * 1024 * 1024;
    // A first run, so that memory that is taken only once (buffers of the pipe, compiled code) is not measured.
    await probe.call("probe", { mode: "flood", text: "64" });
    let output: ToolOutput | undefined;
    // Output that is kept takes its gigabyte each time; when the collector of the test's process runs is chance.
    let more = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3 && more >= mostMore; round += 1) {
      const control = await growthDuring(() => drain(join(dir, "probe.py"), "flood", "1024"));
      const growth = await growthDuring(async () => {
        output = await probe.call("probe", { mode: "flood", text: "1024" });
      });
      more = growth - control;
    }
    expect(output?.details).toMatchObject({ exitCode: 0, truncated: true });
    const [part] = output?.content ?? [];
    expect(part?.type === "text" && part.text.length).toBeLessThan(300_000);
    expect(part?.type === "text" && part.text).toContain("characters were left out");
    expect(more).toBeLessThan(mostMore);
  });

  test("in one line is thrown away above 8 MiB, and the rest counts", async () => {
    const started = await world.start(await world.install("probe"));
    expect(await started.text("probe", { mode: "one-line", text: "20" })).toBe("after");
    expect(started.logs.some(({ text }) => text.includes("A line of 20971520 bytes was thrown away"))).toBe(
      true,
    );
  });

  test("on stderr stalls nothing", async () => {
    expect(await probe.text("probe", { mode: "stderr-flood", text: "4096" })).toBe("done");
  });
});

test("50 calls at once leave no zombie, no open descriptor and nothing of their groups", async () => {
  const dir = dirOf(probePlugin);
  await probe.text("probe", { mode: "grandchild" });
  await until(() => processesOf(dir).every((pid) => !isRunning(pid)));
  const before = openDescriptors();
  const texts = await Promise.all(
    Array.from({ length: 50 }, () => probe.text("probe", { mode: "grandchild", text: "group" })),
  );
  expect(texts).toHaveLength(50);
  // Processes that a run left behind are killed at its end; the kernel needs a moment to remove them.
  await until(() => processesOf(dir).every((pid) => !isRunning(pid)));
  await until(() => zombies().length === 0);
  await until(() => openDescriptors() <= before);
});

test("what a run of a few milliseconds started dies with the app, whatever ended that", async () => {
  const script = join(world.home, "dies.ts");
  const program = pathToFileURL(resolve(import.meta.dirname, "../../src/main/platform/program.ts"));
  await writeFile(
    script,
    `const { Program } = await import(${JSON.stringify(program.href)});
const run = new Program({ file: "/bin/sleep", args: ["600"], cwd: "/", env: {}, input: false });
process.stdout.write(String(run.pid), () => process.kill(process.pid, "SIGKILL"));
`,
  );
  const app = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  app.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  const [, signal] = await once(app, "close");
  expect(signal).toBe("SIGKILL");
  expect(Number(text)).toBeGreaterThan(1);
  await until(() => !isRunning(Number(text)));
});

describe("plain executables", () => {
  test("get their arguments on the command line, no input and no colours", async () => {
    expect(await plain.text("show", { args: `one "two three" ''` })).toBe(
      "red 1\nin:\n<one>\n<two three>\n<>\n",
    );
  });

  test("run without a first line by the shell", async () => {
    expect(await plain.text("no-shebang", { args: ["x"] })).toBe("run by sh x\n");
  });

  test("fail by their exit code", async () => {
    await expect(plain.call("fail")).rejects.toThrow(
      "fail ended with exit code 7.\npartly\nstderr:\nwhy it failed",
    );
  });

  test("take declared arguments in their order and never shift one", async () => {
    expect(await plain.text("typed", { pattern: "a b", path: "." })).toContain("<a b>\n<.>\n");
    expect(await plain.text("typed", { pattern: "-x", limit: 5 })).toContain("<--limit>\n<5>\n<-x>\n");
    await expect(plain.call("typed", { pattern: "a", include: "*.ts" })).rejects.toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringContaining("“include” cannot be given without “path”"),
    });
    await expect(plain.call("typed", { pattern: "a", glob: "x" })).rejects.toThrow(
      "pattern, path, include, limit",
    );
  });

  test("have their own environment, not that of the app", async () => {
    process.env.PATCHBAY_TEST_SECRET = "hidden";
    try {
      const started = await world.start(await world.install("probe"), {
        config: { env: { GIVEN: "yes" } },
      });
      const env = JSON.parse(await started.text("probe", { mode: "env" }));
      expect(env).toMatchObject({
        GIVEN: "yes",
        FLEDGE_PLUGIN_DIR: expect.stringContaining("plugins/probe"),
      });
      expect(env).not.toHaveProperty("PATCHBAY_TEST_SECRET");
    } finally {
      delete process.env.PATCHBAY_TEST_SECRET;
    }
  });
});

describe("programs that cannot run", () => {
  const manifest = (binary: string) =>
    `[plugin]\nname = "odd"\nversion = "1.0.0"\nprotocol = "fledge-v1"\n\n[[commands]]\nname = "go"\nbinary = "${binary}"\n`;

  async function oddPlugin(name: string, text: string | Buffer): Promise<Started> {
    const dir = join(world.home, "odd", name);
    await writeFiles(dir, { "plugin.toml": manifest("go") });
    await writeFile(join(dir, "go"), text);
    return world.start(await world.prepare(dir));
  }

  test.each<[string, string | Buffer, string]>([
    ["interpreter", "#!/usr/bin/env nosuchthing\n", "go needs nosuchthing, which is not on this machine."],
    ["direct", "#!/opt/none/bin/tool\n", "go is run by /opt/none/bin/tool, and there is no such program."],
    ["crlf", "#!/bin/sh\r\necho\r\n", "go has Windows line ends"],
    ["mach", machO(), "go was built for macOS (arm64)"],
    ["windows", pe(), "go was built for Windows (x64)"],
    ["elf", elf(0x16), "go was built for Linux (machine 22)"],
  ])("are recognised before they run: %s", async (name, text, message) => {
    const started = await oddPlugin(name, text);
    await expect(started.call("go")).rejects.toMatchObject({
      code: "PROGRAM_MISSING",
      message: expect.stringContaining(message),
    });
  });

  test("are named at the inspection already", async () => {
    const dir = join(world.home, "odd", "warned");
    await writeFiles(dir, { "plugin.toml": manifest("go"), go: "#!/usr/bin/env nosuchthing\n" });
    const { warnings } = await world.runtime.inspect({ kind: "folder", dir }, new AbortController().signal);
    expect(warnings).toContain("go needs nosuchthing, which is not on this machine.");
  });

  test("name their interpreter by a path, and it is looked for there alone", async () => {
    const started = await oddPlugin("absolute", "#!/opt/nowhere/bin/python3\n");
    const error = await started.call("go").catch((error: unknown) => error as PatchbayError);
    expect(error).toMatchObject({
      code: "PROGRAM_MISSING",
      message: "go is run by /opt/nowhere/bin/python3, and there is no such program.",
    });
    expect((error as PatchbayError).help).not.toContain("Looked for in");
  });

  test("lie outside the plugin's folder by a link", async () => {
    const dir = join(world.home, "odd", "escape");
    await writeFiles(dir, { "plugin.toml": manifest("go") });
    await symlink("/bin/sh", join(dir, "go"));
    await expect(
      world.runtime.inspect({ kind: "folder", dir }, new AbortController().signal),
    ).rejects.toMatchObject({
      code: "UNSAFE_PACKAGE",
    });
  });

  test("lost their right to be executed", async () => {
    const started = await oddPlugin("mode", "#!/bin/sh\n");
    await chmod(join(world.home, "odd", "mode", "go"), 0o644);
    await expect(started.call("go")).rejects.toMatchObject({
      code: "PROGRAM_MISSING",
      message: "go is not executable.",
    });
  });

  test("wait for a build that was not allowed", async () => {
    const plugin = await world.install("many");
    const started = await world.start(plugin);
    await expect(started.call("http-post")).rejects.toMatchObject({
      code: "PROGRAM_MISSING",
      message: "The program many is not in the plugin's folder.",
    });
  });

  test("ask in a linked folder for more than was agreed to", async () => {
    const dir = join(world.home, "odd", "grown");
    await writeFiles(dir, { "plugin.toml": manifest("go"), go: "#!/bin/sh\n" });
    const plugin = await world.prepare(dir);
    await writeFile(join(dir, "plugin.toml"), `${manifest("go")}\n[capabilities]\nexec = true\n`);
    await expect(world.start(plugin)).rejects.toMatchObject({ code: "MANIFEST_CHANGED" });
  });
});

function elf(machine: number): Buffer {
  const head = Buffer.alloc(64);
  head.write("\x7fELF\x02\x01\x01", "latin1");
  head.writeUInt16LE(machine, 18);
  return head;
}

function machO(): Buffer {
  const head = Buffer.alloc(64);
  head.writeUInt32LE(0xfeedfacf, 0);
  head.writeUInt32LE(0x0100000c, 4);
  return head;
}

function pe(): Buffer {
  const head = Buffer.alloc(256);
  head.write("MZ", "latin1");
  head.writeUInt32LE(128, 60);
  head.write("PE\0\0", 128, "latin1");
  head.writeUInt16LE(0x8664, 132);
  return head;
}

/** By how many bytes the memory of this process grew at most while `work` ran. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return Math.max(most, process.memoryUsage.rss()) - before;
}

/** Starts a program with plain `spawn`, and drops everything that it prints: the control for the measurement. */
async function drain(file: string, ...args: string[]): Promise<void> {
  const child = spawn(file, [], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdout.resume();
  child.stdin.write(`${JSON.stringify({ type: "init", args })}\n`);
  await once(child, "close");
}

/** Waits until `holds` returns true; checks it at each turn of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}
