import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dirOf } from "../support/dir-of.ts";
import { writeFiles, writePlugin } from "../support/fixture-plugin.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { openBench } from "./support.ts";

let npm: TestRegistry;
beforeAll(async () => {
  npm = await startVerdaccio();
});
afterAll(() => npm.close());

test("a package is installed by name and range, with exact version and integrity recorded", async () => {
  await using bench = await openBench();
  for (const version of ["1.0.0", "1.2.0", "2.0.0"]) {
    await npm.publish(await writePlugin(join(bench.work, version), { key: "ranged", version }));
  }
  const job = await bench.install("patchbay-plugin-ranged@^1.0.0", { registry: npm.url });
  expect(job.problem).toBeNull();
  expect(job).toMatchObject({ status: "done", sourceKind: "npm", pluginVersion: "1.2.0" });
  const plugin = bench.registry.get("ranged");
  expect(plugin).toMatchObject({
    packageVersion: "1.2.0",
    trust: "unverified",
    source: {
      kind: "npm",
      spec: "patchbay-plugin-ranged@^1.0.0",
      resolved: "patchbay-plugin-ranged@1.2.0",
      registry: npm.url,
      integrity: expect.stringMatching(/^sha512-/),
    },
  });
  expect(await bench.staged()).toEqual([]);
});

test("dependencies come from the same registry, into the plugin's own node_modules", async () => {
  await using bench = await openBench();
  await writeFiles(join(bench.work, "dep"), {
    "package.json": JSON.stringify({
      name: "shouting",
      version: "3.1.0",
      type: "module",
      exports: "./index.js",
    }),
    "index.js": "export const shout = (text) => text.toUpperCase();\n",
  });
  await npm.publish(join(bench.work, "dep"));
  const dir = await writePlugin(join(bench.work, "loud"), {
    key: "loud",
    prelude: 'import { shout } from "shouting";\nshout("hello");\n',
    packageFile: {
      dependencies: { shouting: "^3.0.0" },
      devDependencies: { "not-published-anywhere": "1.0.0" },
    },
  });
  await npm.publish(dir);
  const job = await bench.install("patchbay-plugin-loud", { registry: npm.url });
  expect(job.problem).toBeNull();
  const placed = dirOf(bench.registry.get("loud"));
  expect(JSON.parse(await readFile(join(placed, "node_modules/shouting/package.json"), "utf8")).version).toBe(
    "3.1.0",
  );
});

test.each<[string, Record<string, string>, string, string]>([
  ["that is nowhere", { "nobody-made-this": "^1.0.0" }, "PACKAGE_NOT_FOUND", "no package nobody-made-this"],
  [
    "in a version that is nowhere",
    { counted: "^7.0.0" },
    "PACKAGE_NOT_FOUND",
    "no version “^7.0.0” of the package counted",
  ],
  ["from a git address", { sneaky: "git+https://example.org/a.git" }, "UNSAFE_PACKAGE", "sneaky"],
  ["from an archive", { sneaky: "http://example.org/a.tgz" }, "UNSAFE_PACKAGE", "sneaky"],
  ["from this machine", { sneaky: "file:../../../etc" }, "UNSAFE_PACKAGE", "sneaky"],
])("a dependency %s is named and nothing stays", async (_what, dependencies, code, named) => {
  await using bench = await openBench();
  await writeFiles(join(bench.work, "counted"), {
    "package.json": JSON.stringify({ name: "counted", version: `1.0.${Date.now()}` }),
  });
  await npm.publish(join(bench.work, "counted"));
  const dir = await writePlugin(join(bench.work, "needy"), { key: "needy", packageFile: { dependencies } });
  const job = await bench.install(dir, { registry: npm.url });
  expect(job).toMatchObject({ status: "failed", phase: "verify", problem: { code } });
  expect(job.problem?.message).toContain(named);
  expect(await bench.placed()).toEqual([]);
  expect(await bench.staged()).toEqual([]);
});

test("what a package bundles is used as it is, and what it lacks is added beside it", async () => {
  await using bench = await openBench();
  const extra = (name: string, version: string) => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      version,
      type: "module",
      exports: "./index.js",
    }),
    [`node_modules/${name}/index.js`]: `export default "${version}";\n`,
  });
  await writeFiles(join(bench.work, "beside"), {
    "package.json": JSON.stringify({
      name: "beside",
      version: "2.0.0",
      type: "module",
      exports: "./index.js",
    }),
    "index.js": 'export default "2.0.0";\n',
  });
  await npm.publish(join(bench.work, "beside"));
  const dir = await writePlugin(join(bench.work, "bundler"), {
    key: "bundler",
    prelude:
      'import own from "never-published";\nimport other from "beside";\nif (own + other !== "0.1.02.0.0") throw new Error(own + other);\n',
    packageFile: {
      dependencies: { "never-published": "0.1.0", beside: "^2.0.0" },
      bundleDependencies: ["never-published"],
    },
    files: extra("never-published", "0.1.0"),
  });
  const job = await bench.install(dir, { registry: npm.url });
  expect(job.problem).toBeNull();
});

test("a scoped package installs", async () => {
  await using bench = await openBench();
  await npm.publish(await writePlugin(join(bench.work, "s"), { key: "scoped", name: "@people/scoped" }));
  const job = await bench.install("@people/scoped@1", { registry: npm.url });
  expect(job.problem).toBeNull();
  expect(bench.registry.get("scoped")?.packageName).toBe("@people/scoped");
});

test("a package or version that the registry does not have is named", async () => {
  await using bench = await openBench();
  const missing = await bench.install("no-such-package-here", { registry: npm.url });
  expect(missing.problem).toMatchObject({
    code: "PACKAGE_NOT_FOUND",
    message: `The registry ${new URL(npm.url).host} has no package no-such-package-here@latest.`,
  });
  await npm.publish(await writePlugin(join(bench.work, "v"), { key: "versions" }));
  const version = await bench.install("patchbay-plugin-versions@9", { registry: npm.url });
  expect(version.problem).toMatchObject({
    code: "PACKAGE_NOT_FOUND",
    message: `The registry ${new URL(npm.url).host} has no version “9” of the package patchbay-plugin-versions.`,
  });
});

test("an archive that is not what the registry announced is refused", async () => {
  await using bench = await openBench();
  await npm.publish(await writePlugin(join(bench.work, "t"), { key: "tampered" }));
  const other = await writePlugin(join(bench.work, "other"), { key: "tampered", version: "6.6.6" });
  const { packFolder } = await import("../support/verdaccio.ts");
  const stored = join(npm.storage, "patchbay-plugin-tampered", "patchbay-plugin-tampered-1.0.0.tgz");
  await writeFile(stored, await packFolder(other));
  const job = await bench.install("patchbay-plugin-tampered", { registry: npm.url });
  expect(job.problem?.code).toBe("INTEGRITY_MISMATCH");
  expect(bench.registry.list()).toEqual([]);
  expect(await bench.placed()).toEqual([]);
});

test("an archive without the integrity that the request expects is refused, and one with it installs", async () => {
  await using bench = await openBench();
  await npm.publish(await writePlugin(join(bench.work, "e"), { key: "expected" }));
  const wrong = await bench.install("patchbay-plugin-expected", {
    registry: npm.url,
    expectedIntegrity:
      "sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
  });
  expect(wrong.problem?.code).toBe("INTEGRITY_MISMATCH");
  const first = await bench.install("patchbay-plugin-expected", { registry: npm.url });
  expect(first.problem).toBeNull();
  const integrity = bench.registry.get("expected")?.source.integrity ?? "";
  await bench.jobs.uninstall("expected");
  const right = await bench.install("patchbay-plugin-expected", {
    registry: npm.url,
    expectedIntegrity: integrity,
  });
  expect(right.status).toBe("done");
});

test.each(["dependencies", "peerDependencies"])(
  "the SDK is given to a dependency that names it in its %s, and not fetched",
  async (field) => {
    await using bench = await openBench();
    const key = `sdk-${field.toLowerCase()}`;
    await writeFiles(join(bench.work, "dep"), {
      "package.json": JSON.stringify({
        name: `dep-of-${key}`,
        version: "1.0.0",
        type: "module",
        exports: "./index.js",
        [field]: { "@patchbay/plugin-sdk": "^7.0.0" },
      }),
      "index.js":
        'import { definePlugin } from "@patchbay/plugin-sdk";\nexport const made = definePlugin({});\n',
    });
    await npm.publish(join(bench.work, "dep"));
    const dir = await writePlugin(join(bench.work, "plugin"), {
      key,
      packageFile: { dependencies: { [`dep-of-${key}`]: "^1.0.0" } },
      prelude: `import "dep-of-${key}";`,
    });
    const job = await bench.install(dir, { registry: npm.url, look: true });
    expect(job).toMatchObject({ status: "done", problem: null });
    expect(await readdir(join(dirOf(bench.registry.get(key)), "node_modules"))).toEqual([`dep-of-${key}`]);
  },
);
