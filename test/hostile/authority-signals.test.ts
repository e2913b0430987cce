import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditOf } from "../support/hostile.ts";

const bin = resolve("bin/patchbay");
const debuggerUrl = "http://127.0.0.1:9229/json";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-signals-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A running core; `pid` is that of the core itself, also when a first process handed over to it. */
async function serve(name: string, env: Record<string, string> = {}) {
  const home = join(folder, name);
  const child = spawn(process.execPath, [bin, "serve", "--home", home], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  await once(createInterface({ input: child.stdout }), "line");
  const { pid, url } = JSON.parse(readFileSync(join(home, "gateway.json"), "utf8"));
  return {
    pid: pid as number,
    errors: () => errors,
    answers: async () => (await fetch(`${url}/`)).status === 200,
    audit: () => auditOf(home),
    async stop() {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

const isDebugged = () =>
  fetch(debuggerUrl).then(
    () => true,
    () => false,
  );

/** Another Node program sends the signal, and then one that it would have been handled after. */
const signal = (pid: number) =>
  new Promise((done) => {
    const code = `process.kill(${pid}, "SIGUSR1"); try { process._debugProcess(${pid}) } catch {}`;
    execFile(process.execPath, ["-e", code], done);
  });

test.skipIf(process.platform === "win32")(
  "a program that sends SIGUSR1 to the core gets no debugger of it, and that is in the audit",
  async () => {
    const core = await serve("signal");
    await signal(core.pid);
    // The core answers after the signal was delivered.
    expect(await core.answers()).toBe(true);
    expect(await isDebugged()).toBe(false);
    expect(core.errors()).not.toContain("Debugger");
    await core.stop();
    expect(await core.audit()).toContainEqual(
      expect.objectContaining({ kind: "core.signalled", signal: "SIGUSR1" }),
    );
  },
);

test("a shell profile that sets NODE_OPTIONS puts neither code nor a debugger into the core, and that is in the audit", async () => {
  const mark = join(folder, "mark");
  const script = join(folder, "evil.cjs");
  const isCore = `process.argv[1]?.endsWith("patchbay") && process.execArgv.includes("--disable-sigusr1")`;
  await writeFile(script, `if (${isCore}) require("fs").writeFileSync(${JSON.stringify(mark)}, "in");`);
  const core = await serve("options", { NODE_OPTIONS: `--require ${script}` });
  expect(await core.answers()).toBe(true);
  expect(() => readFileSync(mark)).toThrow("ENOENT");
  await core.stop();
  expect(await core.audit()).toContainEqual(
    expect.objectContaining({ kind: "core.environment_left_out", names: ["NODE_OPTIONS"] }),
  );
});
