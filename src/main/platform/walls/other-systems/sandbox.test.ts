import { afterEach, test as each, expect } from "vitest";
import { loadLibrary, type SandboxLibrary } from "./library.ts";
import { forgetOther, otherReport } from "./report.ts";
import { type Entry, Sandbox } from "./sandbox.ts";

/** On macOS this runs the real walls there. */
const system = process.platform === "darwin" ? "darwin" : "linux";

const entry: Entry = {
  id: "an id that nobody can guess",
  files: { wall: { read: [], write: [], hidden: [] }, read: [], write: [] },
  sockets: null,
  proxied: null,
  line: () => "exec /bin/true",
  refused: () => {},
};

afterEach(forgetOther);

const test = each.skipIf(process.platform === "win32");

/** The real library with some of its ways changed. */
function changed(ways: Partial<SandboxLibrary>): () => SandboxLibrary {
  return () => ({ ...loadLibrary(), ...ways });
}

test("a library that holds nothing is found out before a plugin starts, and no wall stands from then on", async () => {
  const wrapWithSandbox = async (line: string) => `/bin/bash -c '${line.replaceAll("'", `'\\''`)}'`;
  const sandbox = new Sandbox(system, changed({ wrapWithSandbox }));
  const problem = "A program behind the wall can read what is closed to it.";
  await expect(sandbox.enter(entry)).rejects.toMatchObject({ code: "WALLS_MISSING" });
  expect(otherReport()).toMatchObject({ stands: false, problem });
  sandbox.leave(entry);
});

test("a library that cannot be set up makes no wall, and says what it lacks", async () => {
  const lacks = "Sandbox dependencies not available: socat not installed";
  const initialize = async () => {
    throw new Error(lacks);
  };
  const sandbox = new Sandbox(system, changed({ initialize }));
  await expect(sandbox.enter(entry)).rejects.toMatchObject({ code: "WALLS_MISSING" });
  expect(otherReport()).toMatchObject({ stands: false, problem: lacks });
  sandbox.leave(entry);
});

test("a process that ends before its wall is made gets none, and nothing is left running for it", async () => {
  let resets = 0;
  const library = loadLibrary();
  const reset = async () => {
    await library.reset();
    resets += 1;
  };
  const sandbox = new Sandbox(system, changed({ reset }));
  const entering = sandbox.enter(entry);
  sandbox.leave(entry);
  await expect(entering).rejects.toThrow("ended already");
  await expect.poll(() => resets).toBe(1);
  expect(otherReport().stands).toBe(true);
});

test("Patchbay's own handling of signals is not touched", async () => {
  const before = ["SIGINT", "SIGTERM"].map((name) => process.listeners(name as "SIGINT"));
  const sandbox = new Sandbox(system);
  expect(await sandbox.enter(entry)).toMatch(/bwrap|sandbox-exec/);
  expect(["SIGINT", "SIGTERM"].map((name) => process.listeners(name as "SIGINT"))).toEqual(before);
  sandbox.leave(entry);
});
