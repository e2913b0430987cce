import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import builtInCatalog from "../../resources/catalog.json" with { type: "json" };
import { Catalog } from "../../src/main/catalog/index.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { type Bench, openBench } from "./support.ts";

/** The specs of the plugins that come with Patchbay, in the order of the catalogue. */
const builtIn = builtInCatalog.plugins.map(({ key }) => `builtin:${key}`);

let npm: TestRegistry;
beforeAll(async () => {
  npm = await startVerdaccio();
});
afterAll(() => npm.close());

function open(bench: Bench): Catalog {
  return new Catalog(bench.options);
}

async function serveText(text: string, status = 200) {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/catalog.json`,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("without a query the built-in plugins are listed and no registry is asked", async () => {
  await using bench = await openBench();
  bench.settings.registry = "http://127.0.0.1:1/";
  const { entries, failures } = await open(bench).search("");
  expect(failures).toEqual([]);
  expect(entries.map((entry) => entry.spec)).toEqual(builtIn);
  expect(entries.every((entry) => entry.trust === "built-in" && entry.installedVersion === null)).toBe(true);
});

test("the words of a query must all fit", async () => {
  await using bench = await openBench();
  bench.settings.registry = npm.url;
  const { entries } = await open(bench).search("guard shell");
  expect(entries.map((entry) => entry.manifestKey)).toEqual(["guard"]);
});

test("plugins of the registry are found by a word, marked unverified and with the installed version", async () => {
  await using bench = await openBench();
  bench.settings.registry = npm.url;
  await npm.publish(
    await writePlugin(join(bench.work, "w1"), {
      key: "weather",
      packageFile: { description: "Rain or shine." },
    }),
  );
  await npm.publish(
    await writePlugin(join(bench.work, "w2"), { name: "weather-cock", packageFile: { keywords: [] } }),
  );
  await bench.install("patchbay-plugin-weather", { registry: npm.url });
  const { entries, failures } = await open(bench).search("weather");
  expect(failures).toEqual([]);
  expect(entries).toMatchObject([
    {
      spec: "patchbay-plugin-weather",
      source: new URL(npm.url).host,
      description: "Rain or shine.",
      trust: "unverified",
      packageVersion: "1.0.0",
      installedVersion: "1.0.0",
    },
  ]);
});

test("the package of exactly that name is found without the keyword", async () => {
  await using bench = await openBench();
  await npm.publish(
    await writePlugin(join(bench.work, "x"), { name: "@people/exact", packageFile: { keywords: [] } }),
  );
  const { entries } = await open(bench).search("@people/exact", npm.url);
  expect(entries.map((entry) => entry.spec)).toEqual(["@people/exact"]);
});

test("a mistyped name is answered with what is nearly called so, and a package that is no plugin says so", async () => {
  await using bench = await openBench();
  await npm.publish(
    await writePlugin(join(bench.work, "y"), { name: "telegarm", packageFile: { keywords: [] } }),
  );
  const { entries, near } = await open(bench).search("telegarm", npm.url);
  expect(near?.map((entry) => entry.spec)).toEqual(["builtin:telegram"]);
  expect(entries).toMatchObject([{ spec: "telegarm", foreign: true }]);
  const known = await open(bench).search("telegram", npm.url);
  expect(known.near).toBeUndefined();
  expect(known.entries[0]).not.toHaveProperty("foreign");
});

test("plugins are found by their German words", async () => {
  await using bench = await openBench();
  const { entries } = await open(bench).search("zerstörerische", undefined, "catalogues");
  expect(entries.map((entry) => entry.manifestKey)).toEqual(["guard"]);
});

test("a registry that is down is named, and the other sources still answer", async () => {
  await using bench = await openBench();
  const { entries, failures } = await open(bench).search("guard", "http://127.0.0.1:1/");
  expect(entries.map((entry) => entry.manifestKey)).toEqual(["guard"]);
  expect(failures).toEqual([{ source: "127.0.0.1:1", message: "127.0.0.1:1 did not answer." }]);
});

test("an added catalogue is listed, asked once, and cannot point into this machine", async () => {
  await using bench = await openBench();
  const listed = (key: string, spec?: string) => ({
    key,
    packageName: `pkg-${key}`,
    displayName: key,
    description: "d",
    spec,
  });
  await using server = await serveText(
    JSON.stringify({
      name: "Friends",
      plugins: [
        listed("by-name"),
        listed("by-git", "git+https://example.org/a.git"),
        listed("by-url", "https://example.org/a.tgz"),
        listed("by-path", "/etc"),
        listed("by-local-git", "git+file:///etc"),
        listed("by-builtin", "builtin:guard"),
        { key: "NOT VALID" },
      ],
    }),
  );
  bench.settings.catalogUrls = [server.url];
  const catalog = open(bench);
  await catalog.search("");
  const { entries, failures } = await catalog.search("");
  expect(failures).toEqual([]);
  expect(entries.filter((entry) => entry.source === "Friends").map((entry) => entry.spec)).toEqual([
    "pkg-by-name",
    "git+https://example.org/a.git",
    "https://example.org/a.tgz",
  ]);
  expect(server.asked()).toBe(1);
});

test.each([
  ["answers 500", "{}", 500, "answered with error 500."],
  ["is no JSON", "<html>", 200, "answered with something that is no JSON."],
  ["is no catalogue", "[]", 200, "answered with something that is no catalogue."],
])("an added catalogue that %s is named", async (_what, text, status, sentence) => {
  await using bench = await openBench();
  await using server = await serveText(text, status);
  bench.settings.catalogUrls = [server.url];
  const { entries, failures } = await open(bench).search("");
  expect(entries).toHaveLength(builtIn.length);
  expect(failures).toEqual([
    { source: new URL(server.url).host, message: `${new URL(server.url).host} ${sentence}` },
  ]);
});

test("a built-in plugin installs from what comes with Patchbay, and nobody else can take its key", async () => {
  await using bench = await openBench();
  const builtin = join(bench.options.platform.bundleDir, "..", "plugins", "guard");
  await mkdir(builtin, { recursive: true });
  await writePlugin(builtin, { key: "guard", name: "@patchbay/plugin-guard" });
  expect((await bench.install("builtin:guard")).problem).toBeNull();
  expect(bench.registry.get("guard")).toMatchObject({ trust: "built-in", source: { kind: "builtin" } });
  expect((await open(bench).search("guard", npm.url)).entries[0]).toMatchObject({
    installedVersion: "1.0.0",
  });
  const other = await writePlugin(join(bench.work, "other"), {
    key: "guard",
    name: "@patchbay/plugin-guard",
  });
  expect((await bench.install(other)).problem).toMatchObject({
    code: "KEY_TAKEN",
    message: "The plugin key “guard” belongs to Echo, which comes with Patchbay.",
  });
  expect((await bench.install("builtin:unknown")).problem).toMatchObject({
    code: "PACKAGE_NOT_FOUND",
    message: "No plugin “unknown” comes with Patchbay.",
  });
});
