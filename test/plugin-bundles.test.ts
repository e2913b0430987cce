import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");
/**
 * The most bytes of each bundle: about a tenth more than it had when this was written. A start of the plugin reads and compiles all
 * of them. Raise one with what needs it; a library that comes along by accident is what this is for.
 */
const mostBytes: Record<string, number> = {
  discord: 3_200_000,
  guard: 400_000,
  http: 210_000,
  irc: 1_090_000,
  signal: 410_000,
  slack: 1_640_000,
  telegram: 410_000,
  wechat: 340_000,
  xmpp: 450_000,
};
let out: string;
let plugins: string[];

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "patchbay-bundles-"));
  await build(join(out, "first"));
  plugins = await readdir(join(out, "first"));
});
afterAll(() => rm(out, { recursive: true, force: true }));

describe("a bundled first-party plugin", () => {
  it("exists for every folder in plugins/", async () => {
    expect(plugins.sort()).toEqual((await readdir(join(root, "plugins"))).sort());
    expect(plugins).toEqual(expect.arrayContaining(["guard", "http"]));
  });

  it("imports nothing but Node", async () => {
    for (const plugin of plugins) {
      const code = await readFile(join(out, "first", plugin, "index.js"), "utf8");
      const sources = [
        ...code.matchAll(/^(?:import|export)\b[^;]*?from\s*"([^"]+)"|^import\s*"([^"]+)"/gm),
      ].map(([, from, bare]) => from ?? bare ?? "");
      expect(sources.filter((source) => !source.startsWith("node:") || !isBuiltin(source))).toEqual([]);
      // What libraries in CommonJS ask for at run time; a word in a sentence of theirs is no call.
      const required = [...code.matchAll(/__require\w*\(\s*["'`]([^"'`]+)["'`]\s*\)/g)].map(
        ([, id]) => id ?? "",
      );
      expect([plugin, required.filter((id) => !id.startsWith("node:") || !isBuiltin(id))]).toEqual([
        plugin,
        [],
      ]);
      const dynamic = [...code.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]\s*\)/g)].map(([, id]) => id ?? "");
      expect([plugin, dynamic.filter((id) => !id.startsWith("node:"))]).toEqual([plugin, []]);
    }
  });

  it("loads where there is no node_modules, under the key of its folder", async () => {
    for (const plugin of plugins) {
      const index = join(out, "first", plugin, "index.js");
      const script = `const { default: m } = await import(${JSON.stringify(index)}); console.log(JSON.stringify([m.key, m.manifestVersion]));`;
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
        cwd: out,
        env: {},
      });
      expect(JSON.parse(stdout)).toEqual([plugin, 1]);
    }
  });

  it("is a package with its name, version and readme, and without dependencies", async () => {
    for (const plugin of plugins) {
      const facts: unknown = JSON.parse(await readFile(join(out, "first", plugin, "package.json"), "utf8"));
      expect(facts).toMatchObject({
        name: `@patchbay/plugin-${plugin}`,
        type: "module",
        exports: "./index.js",
      });
      expect(facts).not.toHaveProperty("dependencies");
      expect(await readFile(join(out, "first", plugin, "README.md"), "utf8")).toMatch(/^# \S/);
    }
  });

  it("holds of its libraries what it uses, and is no larger than it has reason to be", async () => {
    const sizes: Record<string, number> = {};
    for (const plugin of plugins) {
      const code = await readFile(join(out, "first", plugin, "index.js"), "utf8");
      // A sentence of zod's German: all of zod comes along where `z` is handed on as a value.
      expect([plugin, code.includes("Ungültige Eingabe")]).toEqual([plugin, false]);
      sizes[plugin] = Buffer.byteLength(code);
    }
    expect(Object.keys(sizes).sort()).toEqual(Object.keys(mostBytes).sort());
    const tooLarge = Object.entries(sizes).filter(([plugin, size]) => size > (mostBytes[plugin] ?? 0));
    expect(tooLarge).toEqual([]);
  });

  it("has the same bytes when it is built again", async () => {
    await build(join(out, "second"));
    for (const plugin of plugins) {
      for (const file of ["index.js", "package.json"]) {
        expect(await hash(join(out, "second", plugin, file))).toBe(
          await hash(join(out, "first", plugin, file)),
        );
      }
    }
  });
});

async function build(target: string): Promise<void> {
  await run(process.execPath, [join(root, "scripts/build-plugins.mjs"), "--out", target], { cwd: root });
}

async function hash(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
