import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Artifact } from "../../src/contract/index.ts";
import { PatchbayError } from "../../src/contract/index.ts";
import { forkNodeHost } from "../../src/main/platform/node-host-process.ts";
import { wallReport } from "../../src/main/platform/walls/start.ts";
import { NativeRuntime } from "../../src/main/runtimes/native/native-runtime.ts";
import type { Inspection } from "../../src/main/runtimes/runtime.ts";
import { fixturePlugin, hostBundle } from "../support/host-bundle.ts";
import { isAlive } from "../support/pool-world.ts";

const pids: number[] = [];

afterEach(() => {
  expect(pids.splice(0).filter(isAlive)).toEqual([]);
});

function runtime(inspectMs = 10_000): NativeRuntime {
  return new NativeRuntime({
    root: "/nowhere",
    inspectMs: () => inspectMs,
    platform: {
      walls: wallReport,
      forkHost: (options) => {
        const host = forkNodeHost(hostBundle(), options);
        if (host.pid !== undefined) pids.push(host.pid);
        return host;
      },
    },
  });
}

const folder = (dir: string): Artifact => ({ kind: "folder", dir });

function inspect(fixture: string, inspectMs?: number): Promise<Inspection> {
  return runtime(inspectMs).look(folder(fixturePlugin(fixture)), new AbortController().signal);
}

async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PatchbayError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return { code: error.code, message: error.message };
}

test("a plugin is read in a process that is gone afterwards", async () => {
  const inspection = await inspect("echo");
  expect(inspection).toMatchObject({
    runtime: "native",
    manifestKey: "echo",
    packageName: "patchbay-fixture-echo",
    packageVersion: "1.0.0",
    capabilities: { tools: { namespace: "echo" } },
  });
  expect(pids).toHaveLength(1);
});

test("an entry that is named by `exports` is found as Node finds it", async () => {
  expect(await inspect("base-trio")).toMatchObject({ manifestKey: "base-trio", packageVersion: "1.2.3" });
});

describe("an entry is found as Node finds it", () => {
  const manifest =
    '{ manifestVersion: 1, key: "entry", displayName: "Entry", description: "One.", tools: { namespace: "entry", start() {} } }';
  const esm = `export default ${manifest};`;
  const packages: Record<string, { pkg: object; files: Record<string, string> }> = {
    "index.js without `main`": { pkg: { type: "module" }, files: { "index.js": esm } },
    "`main` without an ending": {
      pkg: { main: "lib/plugin" },
      files: { "lib/plugin.js": `module.exports = ${manifest};` },
    },
    "`main` that names a folder": {
      pkg: { main: "lib" },
      files: { "lib/index.js": `module.exports = ${manifest};` },
    },
    "an .mjs file": { pkg: { main: "plugin.mjs" }, files: { "plugin.mjs": esm } },
    "TypeScript compiled to CommonJS": {
      pkg: { main: "out.js" },
      files: {
        "out.js": `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = ${manifest};`,
      },
    },
    "`exports` with conditions": {
      pkg: { exports: { ".": { types: "./x.d.ts", import: "./esm.mjs", require: "./wrong.cjs" } } },
      files: { "esm.mjs": esm, "wrong.cjs": "throw new Error('the wrong one')" },
    },
    "`exports` for Node alone": {
      pkg: { type: "module", exports: { node: "./node.js", default: "./browser.js" } },
      files: { "node.js": esm, "browser.js": "throw new Error('the wrong one')" },
    },
  };

  test.each(Object.keys(packages))("%s", async (name) => {
    const { pkg, files } = packages[name] ?? { pkg: {}, files: {} };
    const dir = await mkdtemp(join(tmpdir(), "patchbay-entry-"));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    await writeFile(join(dir, "package.json"), JSON.stringify({ name: "entry", version: "1.0.0", ...pkg }));
    expect((await runtime().look(folder(dir), new AbortController().signal)).manifestKey).toBe("entry");
    await rm(dir, { recursive: true });
  });
});

test("a package whose `exports` has no main entry is no plugin", async () => {
  const dir = await mkdtemp(join(tmpdir(), "patchbay-entry-"));
  await writeFile(
    join(dir, "package.json"),
    JSON.stringify({ name: "e", version: "1.0.0", exports: { "./x": "./x.js" } }),
  );
  expect(await refusal(runtime().look(folder(dir), new AbortController().signal))).toMatchObject({
    code: "NOT_A_PLUGIN",
  });
  await rm(dir, { recursive: true });
});

test("a zod schema becomes a JSON Schema", async () => {
  const { declaration } = await inspect("zod-config");
  expect(declaration.details).toEqual({ flatConfig: true });
  const [part = ""] = declaration.settingsRoot ?? [];
  expect(declaration.configSchema?.properties).toMatchObject({
    [part]: {
      type: "object",
      properties: { city: { type: "string", minLength: 1 }, days: { type: "integer", default: 3 } },
      required: ["city"],
    },
  });
});

test("an older channel package is recognised", async () => {
  const inspection = await inspect("legacy-channel");
  expect(inspection).toMatchObject({
    manifestKey: "legacy-chat",
    capabilities: { channel: { hasSetup: false } },
    declaration: { legacyChannel: true, defaultConfig: { channel: { room: "lobby" } } },
  });
  expect(inspection.description).not.toBe("");
  expect(inspection.declaration.secretKeys).toEqual([
    expect.objectContaining({ key: "bot_token", path: ["channel", "bot_token"] }),
  ]);
});

test("a module that prints ten megabytes is still read", async () => {
  expect((await inspect("loud")).manifestKey).toBe("loud");
});

test("a module that throws is refused with its own words", async () => {
  expect(await refusal(inspect("bad-throws"))).toEqual({
    code: "INSPECT_CRASHED",
    message: "The plugin could not be loaded: the author forgot something (index.js, line 1)",
  });
});

test("a module that loops for ever is ended at the time limit", async () => {
  expect(await refusal(inspect("bad-hangs", 400))).toEqual({
    code: "INSPECT_TIMEOUT",
    message: "The plugin did not finish loading within 0.4 seconds.",
  });
});

test("a module that never finishes loading is ended at the time limit", async () => {
  expect(await refusal(inspect("bad-waits", 400))).toMatchObject({ code: "INSPECT_TIMEOUT" });
});

test("a module that ends its process is refused with the exit code", async () => {
  expect(await refusal(inspect("bad-exits"))).toEqual({
    code: "INSPECT_CRASHED",
    message: "The plugin ended its process while it was being read (exit code 5).",
  });
});

test.each(["bad-no-default", "bad-text", "bad-no-entry"])("%s is no plugin", async (fixture) => {
  expect(await refusal(inspect(fixture))).toMatchObject({ code: "NOT_A_PLUGIN" });
});

test("a folder without a package.json, or with a broken one, is no plugin and starts no process", async () => {
  const dir = await mkdtemp(join(tmpdir(), "patchbay-broken-"));
  const look = () => refusal(runtime().look(folder(dir), new AbortController().signal));
  expect(await look()).toEqual({ code: "NOT_A_PLUGIN", message: "There is no package.json." });
  await writeFile(join(dir, "package.json"), '{ "name": ');
  expect(await look()).toMatchObject({ code: "NOT_A_PLUGIN" });
  expect(pids).toEqual([]);
  await rm(dir, { recursive: true });
});

test("an inspection that is called off ends its process", async () => {
  const controller = new AbortController();
  const work = refusal(runtime().look(folder(fixturePlugin("bad-waits")), controller.signal));
  controller.abort(new PatchbayError("ABORTED", "called off"));
  expect(await work).toEqual({ code: "ABORTED", message: "called off" });
});
