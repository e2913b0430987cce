import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Catalog } from "../../src/main/catalog/index.ts";
import { writeFiles, writePlugin } from "../support/fixture-plugin.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { type Bench, openBench } from "./support.ts";

let npm: TestRegistry;
beforeAll(async () => {
  npm = await startVerdaccio();
});
afterAll(() => npm.close());

const nobody = "http://127.0.0.1:1/";
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
  for (const name of Object.keys(process.env)) if (/^npm_config_/i.test(name)) delete process.env[name];
});
afterEach(() => {
  process.env = before;
});

async function configure(bench: Bench, lines: string[]): Promise<void> {
  await writeFiles(bench.work, { npmrc: `${lines.join("\n")}\n` });
  process.env.npm_config_userconfig = join(bench.work, "npmrc");
}

test("the machine's npm configuration names the registry when nothing else does", async () => {
  await using bench = await openBench();
  await npm.publish(await writePlugin(join(bench.work, "m"), { key: "machine" }));
  await configure(bench, ["# a comment", `registry = ${npm.url.replace(/\/$/, "")}`]);
  expect((await bench.install("patchbay-plugin-machine")).problem).toBeNull();
  expect(bench.registry.get("machine")?.source.registry).toBe(npm.url);
});

test("the environment goes before the file, the settings before both, the request before all", async () => {
  await using bench = await openBench();
  await npm.publish(await writePlugin(join(bench.work, "o"), { key: "order" }));
  await configure(bench, [`registry=${nobody}`]);
  process.env.npm_config_registry = npm.url;
  expect((await bench.install("patchbay-plugin-order")).problem).toBeNull();
  process.env.npm_config_registry = nobody;
  bench.settings.registry = npm.url;
  expect((await bench.install("patchbay-plugin-order")).problem).toBeNull();
  bench.settings.registry = nobody;
  expect((await bench.install("patchbay-plugin-order", { registry: npm.url })).problem).toBeNull();
});

test("a package of a scope comes from the scope's registry, and so does its update", async () => {
  await using bench = await openBench();
  await configure(bench, [`registry=${nobody}`, `@people:registry=${npm.url}`]);
  await npm.publish(await writePlugin(join(bench.work, "1"), { key: "ofscope", name: "@people/ofscope" }));
  expect((await bench.install("@people/ofscope")).problem).toBeNull();
  expect(bench.registry.get("ofscope")?.source.registry).toBe(npm.url);
  const newer = { key: "ofscope", name: "@people/ofscope", version: "1.1.0" };
  await npm.publish(await writePlugin(join(bench.work, "2"), newer));
  expect(await bench.update("ofscope")).toMatchObject({
    status: "done",
    problem: null,
    pluginVersion: "1.1.0",
  });
});

test("credentials reach their own registry only, and no log", async () => {
  await using bench = await openBench();
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(403).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.SOME_TOKEN = "tok-en-123";
  await configure(bench, [`//${host}/private/:_authToken=\${SOME_TOKEN}`]);
  const job = await bench.install("anything", { registry: `http://${host}/private/` });
  await new Catalog(bench.options).search("anything", `http://${host}/private/`);
  expect(new Set(seen)).toEqual(new Set(["Bearer tok-en-123"]));
  expect(job.problem?.code).toBe("REGISTRY_REFUSED");
  expect(JSON.stringify(job)).not.toContain("tok-en-123");
  seen.length = 0;
  await bench.install("anything", { registry: `http://${host}/other/` });
  await new Catalog(bench.options).search("anything", `http://${host}/other/`);
  expect(new Set(seen)).toEqual(new Set([undefined]));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
