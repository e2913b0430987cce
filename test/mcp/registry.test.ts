import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { zipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describePlugin } from "../../src/cli/plugin-words.ts";
import { pngOf } from "../png/png.ts";
import { McpApp } from "./mcp-app.ts";
import { codeOf } from "./server-folder.ts";
import { HttpServer, type OldSaid, sessionHandler } from "./servers/over-http.ts";
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
const png = pngOf([20, 120, 90]);
const icon = `data:image/png;base64,${png.toString("base64")}`;
const remoteSays: OldSaid = {};
/** Something inside of the person's network that counts who comes. */
let came = 0;
const counting = createNetServer((socket) => {
  came += 1;
  socket.destroy();
});
async function listening(server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address() as AddressInfo;
}

beforeAll(async () => {
  app = await McpApp.open();
  remote = await HttpServer.open(sessionHandler(remoteSays));
  const inside = (await listening(counting)).port;
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
    {
      server: {
        // Its name proves that this address is its own.
        name: "1.0.0.127/inside",
        description: "x",
        version: "1.0.0",
        remotes: [{ type: "sse", url: remote.url }],
        icons: [{ src: `https://127.0.0.1:${inside}/icon.png` }],
      },
    },
  ];
  registry = await LocalRegistry.open(entries);
  const [far, bundled, forged] = entries;
  registry.files.set("/icons/far.png", png);
  registry.files.set("/icons/drawn.png", Buffer.from(`<svg onload="x()"/>${" ".repeat(40)}`));
  registry.files.set("/icons/huge.png", Buffer.concat([png, Buffer.alloc(64 * 1024)]));
  const lies = (...paths: string[]) => paths.map((path) => ({ src: new URL(path, registry.url).href }));
  Object.assign(far?.server ?? {}, { icons: lies("/icons/drawn.png", "/icons/far.png") });
  Object.assign(bundled?.server ?? {}, {
    icons: lies("/icons/drawn.png", "/icons/huge.png", "/icons/none.png"),
  });
  Object.assign(forged?.server ?? {}, { icons: [{ src: `http://127.0.0.1:${inside}/icon.png` }] });
  await app.client.app.updateSettings({ mcpRegistry: registry.url });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([registry?.close(), remote?.close()]);
  files?.close();
  counting.close();
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

test("icons of the registry are fetched when somebody looks, once, and only where they are small pictures", async () => {
  const { entries } = await search("");
  const hasIcon = entries.flatMap((entry) => (entry.hasIcon ? [entry.packageName] : []));
  expect(hasIcon).toEqual(["com.acme/remote", "com.acme/bundled", "1.0.0.127/inside"]);
  expect(registry.asked.filter((path) => path.startsWith("/icons/"))).toEqual([]);
  const iconOf = async (packageName: string) => (await app.client.catalog.icon({ packageName })).icon;
  expect(await Promise.all([iconOf("com.acme/remote"), iconOf("com.acme/remote")])).toEqual([icon, icon]);
  expect(await iconOf("com.acme/bundled")).toBeNull();
  expect(await iconOf("com.acme/remote")).toBe(icon);
  expect(registry.asked.filter((path) => path.startsWith("/icons/")).sort()).toEqual([
    "/icons/drawn.png",
    "/icons/far.png",
    "/icons/huge.png",
    "/icons/none.png",
  ]);
});

test("an icon inside of the person's network is not asked for, whatever its server's name proves", async () => {
  for (const packageName of ["1.0.0.127/inside", "com.acme/forged", "com.acme/unknown"])
    expect(await app.client.catalog.icon({ packageName })).toEqual({ icon: null });
  expect(came).toBe(0);
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
  await expect
    .poll(async () => (await app.client.plugins.get({ key: "far-away" })).declaration.icon)
    .toBe(icon);
  const own = pngOf([178, 34, 52]);
  const inAddress = `data:image/png;base64,${own.toString("base64")}`;
  remoteSays.icons = [{ src: new URL("/own.png", remote.url).href }, { src: inAddress }];
  const { instance } = await app.switchOn("far-away");
  expect(instance).toMatchObject({ state: "running", contributions: { server: { icon: inAddress } } });
  // It is not at https.
  expect(remote.seen.map(({ url }) => url)).not.toContain("/own.png");
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
