import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";
import { writeFiles } from "../support/fixture-plugin.ts";

let bench: Bench;
let home: string;
const minimal = { "__init__.py": "def register(ctx):\n    pass\n" };

beforeAll(async () => {
  bench = await openBench();
  home = join(bench.folder, "flowly");
  await mkdir(join(home, "plugins"), { recursive: true });
  await cp("test/fixtures/flowly/parcels", join(home, "plugins", "parcels"), { recursive: true });
  const plugin = async (folder: string, yaml: string) => {
    await mkdir(join(home, "plugins", folder), { recursive: true });
    await writeFiles(join(home, "plugins", folder), { "plugin.yaml": yaml, ...minimal });
  };
  await plugin("off", "name: off-there\nversion: '2.0'\n");
  await plugin("new", "name: new-there\n");
  await plugin("torn", "name: [torn\n");
  await plugin("twin-a", "name: twin\n");
  await plugin("twin-b", "name: twin\nversion: 1.10\n");
  await plugin("empty", "name: empty\n");
  await writeFiles(home, {
    "config.json": JSON.stringify({
      plugins: { enabled: ["parcels", "off-there", "torn", "twin", "codeless"], disabled: ["off-there"] },
    }),
  });
  await mkdir(join(home, "plugins", "codeless"));
  await writeFiles(join(home, "plugins", "codeless"), { "plugin.yaml": "name: codeless\n" });
});
afterAll(() => bench.remove());

const everything = async () => {
  const names = (await readdir(home, { recursive: true }))
    .filter((name) => !name.includes("__pycache__"))
    .sort();
  return [names, await readFile(join(home, "config.json"), "utf8")];
};

test("an installation of Flowly is listed with how each plugin stands there", async () => {
  const before = await everything();
  const listed = await bench.patchbay(["--json", "import", "flowly", "--from", home]);
  expect(listed.code).toBe(0);
  const { plugins, places } = listed.json<{
    plugins: { key: string; status: string; version: string; theirs: string | null }[];
    places: string[];
  }>();
  expect(places).toContain(join(home, "plugins"));
  const own = Object.fromEntries(
    plugins.map(({ key, status, version }) => [`${key} ${version}`.trim(), status]),
  );
  expect(own).toMatchObject({
    codeless: "enabled",
    "parcels 1.2.0": "enabled",
    "off-there 2.0": "disabled",
    "new-there": "available",
    torn: "error",
    "twin 1.1": "enabled",
    twin: "overridden",
  });
  expect(plugins.find(({ key }) => key === "off-there")?.theirs).toBe("disabled in config");
  const said = await bench.patchbay(["import", "flowly", "--from", home]);
  expect(said.stdout).toContain("off-there  2.0  flowly  your own  ○ switched off there");
  expect(said.stdout).toContain(`loaded in its place: ${join(home, "plugins", "twin-b")}`);
  expect(said.stdout).toContain("Install those that are switched on with --yes");
  expect(await everything()).toEqual(before);
});

test("what is switched on there is installed and switched on, and one that fails stops no other", async () => {
  const before = await everything();
  const run = () =>
    bench.patchbay(["--json", "import", "flowly", "--from", home, "--yes", "--agent", "helper"]);
  const imported = await run();
  expect(imported.code).toBe(1);
  const { plugins, left } = imported.json<{ plugins: { name: string }[]; left: { name: string }[] }>();
  expect(Object.fromEntries(plugins.map((one) => [one.name, one]))).toMatchObject({
    codeless: { installed: false, switchedOn: false, problem: { code: "MANIFEST_INVALID" } },
    parcels: { installed: true, switchedOn: true, problem: null, key: "parcels" },
    twin: { installed: true, switchedOn: true, problem: null },
  });
  expect(left.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["off-there", "new-there", "torn", "twin"]),
  );
  const rows = await bench.patchbay(["--json", "plugin", "list", "--agent", "helper"]);
  const listed = rows.json<{ plugins: { key: string; row: { enabled: boolean } | null }[] }>();
  expect(listed.plugins.map(({ key, row }) => [key, row?.enabled])).toEqual([
    ["parcels", true],
    ["twin", true],
  ]);
  const info = await bench.patchbay(["plugin", "info", "parcels"]);
  expect(info.stdout).toMatch(/Goes through it\s+high risk; reads every prompt and answer;/);
  // Once more: what is there stays as it is.
  expect((await run()).json()).toMatchObject({
    plugins: expect.arrayContaining([
      expect.objectContaining({ name: "parcels", installed: true, problem: null }),
    ]),
  });
  expect(await everything()).toEqual(before);
});

test("a folder without Flowly has nothing, and an unknown agent is said before anything is installed", async () => {
  const nothing = await bench.patchbay(["import", "flowly", "--from", join(bench.folder, "nowhere")], {
    env: { PATH: "/usr/bin:/bin" },
  });
  expect(nothing.stdout).toContain(`Flowly has no plugins in ${join(bench.folder, "nowhere", "plugins")}.`);
  const wrong = await bench.patchbay([
    "--json",
    "import",
    "flowly",
    "--from",
    home,
    "--yes",
    "--agent",
    "nobody",
  ]);
  expect(wrong.code).not.toBe(0);
  expect(wrong.json()).toMatchObject({ error: { code: "AGENT_NOT_FOUND" } });
});
