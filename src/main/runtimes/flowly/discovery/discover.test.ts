import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { discoverFlowly } from "./discover.ts";
import { flowlyLists } from "./lists.ts";
import { flowlyPlaces } from "./places.ts";
import { scan } from "./scan.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "flowly-found-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const plugin = (folder: string, yaml: string) => {
  write(`${folder}/plugin.yaml`, yaml);
  write(`${folder}/__init__.py`, `open(__file__ + ".ran", "w")\n`);
};

/** Each found plugin as `folder status`, and what Flowly says about it. */
async function found(lists: { enabled?: string[]; disabled?: string[] } = {}) {
  const places = { bundled: join(root, "bundled"), home: join(root, "home"), project: join(root, "project") };
  const all = await discoverFlowly(places, {
    enabled: new Set(lists.enabled),
    disabled: new Set(lists.disabled),
  });
  return all.map((each) => ({ ...each, dir: each.dir.slice(root.length + 1) }));
}

const short = (all: Awaited<ReturnType<typeof found>>) =>
  all.map(({ key, dir, status }) => `${key}: ${dir} ${status}`);

test("places come in order, folders by their names, and an override takes the slot of what it replaced", async () => {
  plugin("bundled/mud", "name: mud");
  plugin("bundled/sand", "name: sand");
  plugin("home/plugins/zz", "name: mud");
  plugin("home/plugins/Reed", "name: reed");
  plugin("home/plugins/alga", "name: alga");
  plugin("project/.flowly/plugins/fish", "name: reed");
  expect(short(await found({ enabled: ["mud", "reed", "alga"] }))).toEqual([
    "mud: home/plugins/zz enabled",
    "mud: bundled/mud overridden",
    "sand: bundled/sand enabled",
    "reed: project/.flowly/plugins/fish enabled",
    "reed: home/plugins/Reed overridden",
    "alga: home/plugins/alga enabled",
  ]);
});

test("the one that lost names the one that won", async () => {
  plugin("home/plugins/a", "name: twin");
  plugin("home/plugins/b", "name: twin");
  const [, lost] = await found({ enabled: ["twin"] });
  expect(lost).toMatchObject({
    dir: "home/plugins/a",
    status: "overridden",
    lostTo: join(root, "home/plugins/b"),
    reason: "Another plugin of the same name, in Flowly's folder of plugins, takes its place.",
  });
});

test("a plugin that is not enabled does not hide the one that comes with Flowly", async () => {
  plugin("bundled/tide", "name: tide");
  plugin("home/plugins/tide", "name: tide");
  expect(short(await found())).toEqual(["tide: bundled/tide enabled", "tide: home/plugins/tide available"]);
});

test("the filters are asked in Flowly's order and give its reasons", async () => {
  plugin("bundled/ex", "kind: exclusive");
  plugin("home/plugins/off", "kind: exclusive");
  plugin("home/plugins/new", "name: n e w");
  plugin("home/plugins/on", "kind: backend");
  const all = await found({ enabled: ["on", "off", "new"], disabled: ["off"] });
  expect(all.map(({ key, status, theirs }) => [key, status, theirs])).toEqual([
    ["ex", "unsupported", "kind=exclusive not supported yet"],
    ["n e w", "available", "not in plugins.enabled (run `flowly plugins enable n e w`)"],
    ["off", "disabled", "disabled in config"],
    ["on", "enabled", null],
  ]);
});

test("categories are found one level deep, with the folder's name in the key", async () => {
  plugin("home/plugins/image_gen/draw", "name: painter");
  plugin("home/plugins/image_gen/deep/deeper", "name: lost");
  plugin("home/plugins/own", "name: own");
  plugin("home/plugins/own/inner", "name: inner");
  expect(short(await found({ enabled: ["image_gen/draw", "own", "inner"] }))).toEqual([
    "image_gen/draw: home/plugins/image_gen/draw enabled",
    "own: home/plugins/own enabled",
  ]);
});

test("a fault stays with its plugin, and code without a manifest is named", async () => {
  plugin("home/plugins/bad", "manifest_version: x");
  plugin("home/plugins/good", "");
  write("home/plugins/bare/__init__.py", "");
  write("home/plugins/empty/notes.txt", "");
  const all = await found({ enabled: ["good", "bad"] });
  expect(all.map(({ key, status, theirs }) => [key, status, theirs])).toEqual([
    ["bad", "error", "ValueError: invalid literal for int() with base 10: 'x'"],
    ["bare", "error", "no plugin.yaml / plugin.json"],
    ["good", "enabled", null],
  ]);
});

test("links to folders count, hidden folders do not, and a link that leads up is not followed", async () => {
  plugin("elsewhere", "name: linked");
  plugin("home/plugins/.hidden", "name: hidden");
  symlinkSync(join(root, "elsewhere"), join(root, "home/plugins/link"));
  symlinkSync(join(root, "home/plugins"), join(root, "home/plugins/loop"));
  symlinkSync(join(root, "home"), join(root, "home/plugins/up"));
  symlinkSync(join(root, "nowhere"), join(root, "home/plugins/gone"));
  expect(short(await found({ enabled: ["linked"] }))).toEqual(["linked: home/plugins/link enabled"]);
});

test("no more folders are looked at than are allowed", async () => {
  for (const name of ["a", "b", "c", "d"]) plugin(`home/plugins/${name}`, "");
  const budget = { left: 3 };
  const first = await scan(join(root, "home/plugins"), "user", budget);
  expect(first.map((each) => each.key)).toEqual(["a", "b", "c"]);
  expect(await scan(join(root, "home/plugins"), "project", budget)).toEqual([]);
});

test("places follow FLOWLY_HOME, the gate, and the Flowly on the PATH", async () => {
  const site = join(root, "venv/lib/python3.11/site-packages/flowly/plugins_bundled");
  mkdirSync(site, { recursive: true });
  write("venv/bin/flowly", "#!/usr/bin/env python3\n");
  mkdirSync(join(root, "bin"));
  symlinkSync(join(root, "venv/bin/flowly"), join(root, "bin/flowly"));
  expect(
    await flowlyPlaces({ HOME: root, PATH: join(root, "bin"), FLOWLY_ENABLE_PROJECT_PLUGINS: "oN" }, root),
  ).toEqual({ bundled: site, home: join(root, ".flowly"), project: root });
  expect(
    await flowlyPlaces({ HOME: root, FLOWLY_HOME: "own", FLOWLY_ENABLE_PROJECT_PLUGINS: " 1" }, root),
  ).toEqual({ bundled: null, home: join(root, "own"), project: null });
});

test.each([
  ['{"plugins": {"enabled": ["a"], "disabled": ["b"], "more": 1}}', ["a"], ["b"]],
  ['{"Plugins": {"Enabled": ["a"]}}', ["a"], []],
  ["{}", [], []],
])("the lists of %s", async (text, enabled, disabled) => {
  write("config.json", text);
  expect(await flowlyLists(root)).toEqual({
    enabled: new Set(enabled),
    disabled: new Set(disabled),
    problem: null,
  });
});

test.each([
  ["not json"],
  ['{"plugins": null}'],
  ['{"plugins": {"enabled": "a"}}'],
  ['{"plugins": {"enabled": ["a"], "disabled": [1]}}'],
  ["[]"],
])("%s is void as a whole, and the copy beside it counts", async (text) => {
  write("config.json", text);
  expect(await flowlyLists(root)).toMatchObject({
    enabled: new Set(),
    problem: expect.stringContaining("cannot be read"),
  });
  write("config.json.bak", '{"plugins": {"enabled": ["old"]}}');
  expect(await flowlyLists(root)).toMatchObject({
    enabled: new Set(["old"]),
    problem: expect.stringContaining("older copy"),
  });
});

test("without a config.json both lists are empty", async () => {
  expect(await flowlyLists(root)).toEqual({ enabled: new Set(), disabled: new Set(), problem: null });
});
