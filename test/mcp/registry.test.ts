import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { zipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describePlugin } from "../../src/cli/plugin-words.ts";
import { McpApp } from "./mcp-app.ts";
import { codeOf } from "./server-folder.ts";
import { HttpServer, sessionHandler } from "./servers/over-http.ts";
import { type Listed, LocalRegistry } from "./servers/registry.ts";

const official = "io.modelcontextprotocol.registry/official";
const said = (status: string, statusMessage?: string) => ({
  [official]: { status, statusMessage, isLatest: true },
});

let app: McpApp;
let registry: LocalRegistry;
let remote: HttpServer;
let files: ReturnType<typeof createServer>;
let bundle: { url: string; sha256: string };

beforeAll(async () => {
  app = await McpApp.open();
  remote = await HttpServer.open(sessionHandler());
  const manifest = {
    manifest_version: "0.3",
    name: "bundled",
    version: "1.0.0",
    description: "From a bundle",
    author: { name: "Acme" },
    server: { type: "node", entry_point: "index.mjs" },
  };
  const zip = zipSync({
    "manifest.json": Buffer.from(JSON.stringify(manifest)),
    "index.mjs": Buffer.from(await codeOf("legacy")),
  });
  files = createServer((_request, response) => response.end(zip));
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  bundle = {
    url: `http://127.0.0.1:${(files.address() as AddressInfo).port}/bundled.mcpb`,
    sha256: createHash("sha256").update(zip).digest("hex"),
  };
  const mcpb = (sha256: string) => [{ registryType: "mcpb", identifier: bundle.url, fileSha256: sha256 }];
  const entries: Listed[] = [
    {
      server: {
        name: "com.acme/remote",
        title: "Far away",
        description: "At an address",
        version: "1.0.0",
        remotes: [{ type: "streamable-http", url: remote.url }],
      },
      _meta: said("active"),
    },
    {
      server: {
        name: "com.acme/bundled",
        description: "In a bundle",
        version: "1.0.0",
        packages: mcpb(bundle.sha256),
      },
    },
    {
      server: {
        name: "com.acme/forged",
        description: "Not that file",
        version: "1.0.0",
        packages: mcpb("00".repeat(32)),
      },
    },
    {
      server: {
        name: "com.acme/old",
        description: "An old one",
        version: "0.9.0",
        remotes: [{ type: "sse", url: remote.url }],
      },
      _meta: said("deprecated", "use remote"),
    },
    {
      server: {
        name: "com.acme/evil",
        description: "x",
        version: "1.0.0",
        remotes: [{ type: "sse", url: remote.url }],
      },
      _meta: said("deleted", "malware"),
    },
    {
      server: {
        name: "com.acme/rust",
        description: "x",
        version: "1.0.0",
        packages: [{ registryType: "cargo", identifier: "x" }],
      },
    },
    { server: { name: "no name", version: "1" } },
  ];
  registry = await LocalRegistry.open(entries);
  await app.client.app.updateSettings({ mcpRegistry: registry.url });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([registry?.close(), remote?.close()]);
  files?.close();
});

const search = (query: string) => app.client.catalog.search({ query, scope: "catalogues" });

test("Discover lists the servers of the registry, page by page, without those that cannot be had", async () => {
  const { entries, failures } = await search("com.acme");
  expect(failures).toEqual([]);
  const mine = entries.filter(({ runtime }) => runtime === "mcp");
  expect(
    mine.map(({ packageName, displayName, description }) => [packageName, displayName, description]),
  ).toEqual([
    ["com.acme/remote", "Far away", "At an address"],
    ["com.acme/bundled", "bundled", "In a bundle"],
    ["com.acme/forged", "forged", "Not that file"],
    ["com.acme/old", "old", "An old one"],
  ]);
});

test("the list says who published a server, how it can be had, and what speaks against it", async () => {
  const { entries } = await search("com.acme");
  const mine = Object.fromEntries(entries.map((entry) => [entry.packageName, entry]));
  expect(mine["com.acme/old"]).toMatchObject({
    publisher: "acme.com",
    ways: ["remote"],
    advice: { status: "deprecated", message: "use remote" },
  });
  expect(mine["com.acme/bundled"]?.ways).toEqual(["mcpb"]);
  expect(mine["com.acme/bundled"]?.advice).toBeUndefined();
});

test("a second look within the hour asks for nothing", async () => {
  await search("remote");
  const before = registry.asked.length;
  await search("bundled");
  expect(registry.asked.length).toBe(before);
});

test("a remote server of the registry is installed by its name and runs", async () => {
  expect(await app.install("mcp-registry:com.acme/remote@1.0.0")).toMatchObject({
    status: "done",
    problem: null,
  });
  expect(await app.client.plugins.get({ key: "far-away" })).toMatchObject({
    runtime: "mcp",
    packageName: "com.acme/remote",
    source: { kind: "mcp-registry", resolved: "com.acme/remote@1.0.0" },
  });
  expect((await app.switchOn("far-away")).instance).toMatchObject({ state: "running" });
});

test("a bundle is fetched by its hash, and one of another hash is refused", async () => {
  expect(await app.install("mcp-registry:com.acme/bundled")).toMatchObject({ status: "done", problem: null });
  expect((await app.switchOn("bundled")).instance).toMatchObject({ state: "running" });
  expect(await app.install("mcp-registry:com.acme/forged")).toMatchObject({
    status: "failed",
    problem: { code: "INTEGRITY_MISMATCH" },
  });
});

test("what its registry says against an installed server stands with it, as soon as that is known", async () => {
  expect(await app.install("mcp-registry:com.acme/old")).toMatchObject({ status: "done" });
  const plugin = await app.client.plugins.get({ key: "old" });
  expect(plugin.advice).toEqual({ status: "deprecated", message: "use remote" });
  expect(describePlugin(plugin)).toMatch(/Deprecated +Its publisher advises against it: use remote\./);
  expect((await app.client.plugins.get({ key: "bundled" })).advice).toBeUndefined();
});

test.each([
  ["com.acme/evil", "PACKAGE_NOT_FOUND", /withdrawn from the registry: malware/],
  ["com.acme/rust", "SPEC_UNSUPPORTED", /only offered as cargo, which Patchbay cannot run/],
  ["com.acme/nothing", "PACKAGE_NOT_FOUND", /nothing at that address/],
])("%s is not installed, and says why", async (name, code, says) => {
  expect(await app.install(`mcp-registry:${name}`)).toMatchObject({
    status: "failed",
    problem: { code, message: expect.stringMatching(says) },
  });
});

test.each([
  ["another server's entry", JSON.stringify({ server: { name: "com.evil/other", version: "1.0.0" } })],
  ["no JSON", "<html>"],
  ["a list", "[]"],
])("a registry that answers %s is refused", async (_name, body) => {
  registry.answer = () => ({ status: 200, body });
  const { status, problem } = await app.install("mcp-registry:com.acme/remote@9.9.9");
  registry.answer = undefined;
  expect({ status, code: problem?.code }).toEqual({ status: "failed", code: "REGISTRY_REFUSED" });
});
