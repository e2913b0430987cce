import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createIntegrityCheck } from "../../src/main/catalog/index.ts";
import { dirOf } from "../support/dir-of.ts";
import { writeFiles, writePlugin } from "../support/fixture-plugin.ts";
import { openBench } from "./support.ts";

test("a folder is copied, placed and recorded through all phases", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "echo"));
  const job = await bench.install(dir);
  expect(job.problem).toBeNull();
  expect(job).toMatchObject({
    status: "done",
    sourceKind: "folder",
    pluginKey: "echo",
    pluginVersion: "1.0.0",
  });
  expect(job.phases.map((row) => `${row.phase} ${row.status}`)).toEqual([
    "resolve done",
    "download done",
    "verify done",
    "inspect done",
    "consent skipped",
    "place done",
    "check done",
  ]);
  const plugin = bench.registry.get("echo");
  expect(plugin).toMatchObject({ packageName: "patchbay-plugin-echo", trust: "local", runtime: "native" });
  expect(plugin?.source).toMatchObject({
    kind: "folder",
    spec: dir,
    treeHash: expect.stringMatching(/^sha256-/),
  });
  expect(await readFile(join(dirOf(plugin), "index.js"), "utf8")).toContain("manifestVersion");
  expect(await bench.placed()).toHaveLength(1);
  expect(await bench.staged()).toEqual([]);
});

test("a linked folder is used in place and never removed", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "echo"));
  const job = await bench.install(dir, { link: true });
  expect(job).toMatchObject({ status: "done", sourceKind: "link", problem: null });
  expect(bench.registry.get("echo")).toMatchObject({
    artifact: { dir },
    source: { treeHash: null, kind: "link" },
  });
  await writePlugin(dir, { version: "1.0.1" });
  expect(await bench.update("echo")).toMatchObject({ status: "done", pluginVersion: "1.0.1" });
  const again = await bench.update("echo");
  expect(again).toMatchObject({ status: "done", pluginVersion: "1.0.1", upToDate: true });
  await writeFile(join(dir, "more.js"), "export {};\n");
  expect((await bench.update("echo")).upToDate).toBeUndefined();
  await bench.jobs.uninstall("echo");
  expect(bench.registry.list()).toEqual([]);
  expect(await readFile(join(dir, "index.js"), "utf8")).toContain("manifestVersion");
});

test("a changed file of an installed plugin is noticed, and so is a missing folder", async () => {
  await using bench = await openBench();
  await bench.install(await writePlugin(join(bench.work, "echo")));
  const check = createIntegrityCheck();
  const plugin = bench.registry.get("echo");
  if (!plugin) throw new Error("not installed");
  expect(await check(plugin)).toBeNull();
  await writeFile(join(dirOf(plugin), "index.js"), "export default 1;\n");
  expect(await check(plugin)).toMatchObject({
    code: "PLUGIN_FILES_CHANGED",
    message: "The files of Echo 1.0.0 are not those that were installed.",
  });
  expect(
    await check({ ...plugin, artifact: { kind: "folder", dir: join(bench.home, "gone") } }),
  ).toMatchObject({
    code: "PLUGIN_FILES_CHANGED",
    message: "The files of Echo 1.0.0 are gone.",
  });
});

test("a link that leads out of the folder is refused and nothing stays", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "echo"));
  await symlink("../../../../etc/passwd", join(dir, "passwords"));
  const job = await bench.install(dir);
  expect(job.status).toBe("failed");
  expect(job.problem).toMatchObject({
    code: "UNSAFE_PACKAGE",
    message: expect.stringContaining("“passwords”"),
  });
  expect(await bench.placed()).toEqual([]);
  expect(await bench.staged()).toEqual([]);
});

const sdk = "@patchbay/plugin-sdk";

test.each([
  ["a dependency", { dependencies: { [sdk]: "^0.1.0" } }],
  ["a peer", { peerDependencies: { [sdk]: "*" } }],
  ["an optional dependency", { optionalDependencies: { [sdk]: "^0.1.0" } }],
  ["a link for development", { devDependencies: { [sdk]: "file:../sdk" } }],
  ["a link that it depends on", { dependencies: { [sdk]: "file:../sdk" } }],
])(
  "a plugin with the SDK as %s is installed, and imports the one that Patchbay gives",
  async (_what, packageFile) => {
    await using bench = await openBench();
    const dir = await writePlugin(join(bench.work, "echo"), {
      packageFile: { ...packageFile, scripts: {} },
      prelude: `import { definePlugin } from "${sdk}";\ndefinePlugin({});`,
    });
    if (Object.values(packageFile).some((names) => names[sdk]?.startsWith("file:"))) {
      await writeFiles(join(bench.work, "sdk"), {
        "package.json": JSON.stringify({ name: sdk, version: "0.1.0", bin: { describe: "./bin.ts" } }),
        "bin.ts": "",
      });
      await mkdir(join(dir, "node_modules/@patchbay"), { recursive: true });
      await mkdir(join(dir, "node_modules/.bin"));
      await symlink("../../../sdk", join(dir, "node_modules", sdk));
      await symlink(`../${sdk}/bin.ts`, join(dir, "node_modules/.bin/describe"));
    }
    const job = await bench.install(dir, { look: true });
    expect(job).toMatchObject({ status: "done", problem: null });
    expect(
      await readdir(join(dirOf(bench.registry.get("echo")), "node_modules")).catch(() => []),
    ).not.toContain(sdk);
  },
);

test("what is linked for development alone is left out, and what the plugin needs may not lead out", async () => {
  await using bench = await openBench();
  await writeFiles(join(bench.work, "tool"), { "package.json": '{"name":"tool","version":"1.0.0"}' });
  const link = async (field: string, key: string) => {
    const packageFile = { [field]: { tool: "file:../tool" } };
    const dir = await writePlugin(join(bench.work, key), { key, packageFile });
    await mkdir(join(dir, "node_modules"));
    await symlink("../../tool", join(dir, "node_modules/tool"));
    return bench.install(dir, { look: true });
  };
  expect(await link("devDependencies", "developed")).toMatchObject({ status: "done", problem: null });
  expect((await link("dependencies", "needing")).problem).toMatchObject({ code: "UNSAFE_PACKAGE" });
});
