import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { McpApp } from "./mcp-app.ts";
import { codeOf } from "./server-folder.ts";
import { LocalRegistry } from "./servers/registry.ts";

let app: McpApp;
let npm: TestRegistry;
let registry: LocalRegistry;
const listed = (version: string) => ({
  server: {
    name: "com.acme/listed",
    title: "Listed",
    description: "x",
    version,
    packages: [{ registryType: "npm", identifier: "listed-server", version }],
  },
});

beforeAll(async () => {
  [app, npm] = await Promise.all([McpApp.open(), startVerdaccio()]);
  registry = await LocalRegistry.open([listed("1.0.0")]);
  await app.client.app.updateSettings({ registry: npm.url, mcpRegistry: registry.url });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([npm?.close(), registry?.close()]);
});

/** Publishes a server as a package; `code`: in the place of one that works. */
async function publish(name: string, version: string, more: object = {}, code?: string): Promise<void> {
  const dir = join(app.root, `${name}-${version}`);
  await mkdir(dir);
  const file = { name, version, description: "A server.", type: "module", bin: "./server.mjs", ...more };
  await writeFile(join(dir, "package.json"), JSON.stringify(file));
  await writeFile(join(dir, "server.mjs"), code ?? (await codeOf("legacy")));
  await npm.publish(dir);
}

async function finished({ id }: { id: string }) {
  for await (const job of await app.client.jobs.watch({ id })) if (job.endedAt) return job;
  throw new Error("the job went nowhere");
}
const stands = async (key: string) => {
  const { packageVersion, source } = await app.client.plugins.get({ key });
  return { packageVersion, ...source };
};

test("a package that says that it is a server is installed by its name, at an exact version with its integrity", async () => {
  await publish("says-so", "1.0.0", { mcpName: "io.github.acme/says-so" });
  expect(await app.install("says-so")).toMatchObject({ status: "done", problem: null });
  expect(await stands("says-so")).toMatchObject({
    kind: "npm",
    packageVersion: "1.0.0",
    resolved: "says-so@1.0.0",
    integrity: expect.stringMatching(/^sha512-/),
  });
  expect((await app.switchOn("says-so")).instance).toMatchObject({ state: "running" });
  expect(await app.call("says-so__echo", { text: "here" })).toMatchObject({ text: "here" });
});

test("one that does not say so is no plugin, unless the person says what it is", async () => {
  await publish("silent-server", "1.0.0");
  expect(await app.install("silent-server")).toMatchObject({
    status: "failed",
    problem: { code: "NOT_A_PLUGIN" },
  });
  expect(await app.install("mcp:npm/silent-server")).toMatchObject({ status: "done", problem: null });
  expect((await app.switchOn("silent-server")).instance).toMatchObject({ state: "running" });
});

test("its own scripts do not run unless that is agreed to", async () => {
  const scripts = { postinstall: "node -e \"require('fs').writeFileSync('ran', '')\"" };
  await publish("scripted", "1.0.0", { mcpName: "com.acme/scripted", scripts });
  expect(await app.install("scripted")).toMatchObject({
    status: "done",
    consent: { hasScripts: true },
    skippedScripts: expect.arrayContaining([expect.any(String)]),
  });
});

test("a package without a program is refused with what is missing", async () => {
  await publish("no-bin", "1.0.0", { mcpName: "com.acme/no-bin", bin: undefined });
  expect((await app.install("no-bin")).problem).toMatchObject({
    code: "MANIFEST_INVALID",
    message: expect.stringMatching(/names no program: `bin` is missing/),
  });
});

test("a server of a registry is updated to the version that the registry lists now", async () => {
  await publish("listed-server", "1.0.0");
  expect(await app.install("mcp-registry:com.acme/listed@1.0.0")).toMatchObject({ status: "done" });
  await app.switchOn("listed");
  await publish("listed-server", "1.1.0");
  registry.entries = [listed("1.1.0")];
  expect(await finished(await app.client.plugins.update({ key: "listed", yes: true }))).toMatchObject({
    status: "done",
    problem: null,
  });
  expect(await stands("listed")).toMatchObject({ packageVersion: "1.1.0", kind: "mcp-registry" });
  expect(await app.call("listed__echo", { text: "newer" })).toMatchObject({ text: "newer" });
});

test("a version that does not start is rolled back with the reason, and the old one runs on", async () => {
  await publish("says-so", "1.1.0", { mcpName: "io.github.acme/says-so" }, "process.exit(3)");
  const job = await finished(await app.client.plugins.update({ key: "says-so", yes: true }));
  expect(job).toMatchObject({
    status: "failed",
    problem: { code: "UPDATE_ROLLED_BACK", message: expect.stringMatching(/exit code 3|ended right after/) },
  });
  expect(await stands("says-so")).toMatchObject({ packageVersion: "1.0.0" });
  expect(await app.call("says-so__echo", { text: "still" })).toMatchObject({ text: "still" });
});
