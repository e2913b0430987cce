import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";

let bench: Bench;
let home: string;
let project: string;

beforeAll(async () => {
  bench = await openBench();
  home = join(bench.folder, "dirge");
  project = join(bench.folder, "project");
  await mkdir(join(project, ".dirge", "plugins"), { recursive: true });
  for (const name of ["notes.janet", "safety.janet"])
    await cp(join("test/fixtures/dirge/plugins", name), join(home, "plugins", name));
  await writeFile(join(home, "plugins", "off.janet"), "(defn on-complete [ctx] nil)");
  await mkdir(join(home, "plugins", "hollow"));
  await writeFile(join(project, ".dirge", "plugins", "safety.janet"), "(defn on-complete [ctx] nil)");
  await writeFile(
    join(home, "config.json"),
    JSON.stringify({ plugins: { off: { enabled: false }, notes: { auto_start: true } } }),
  );
});
afterAll(() => bench.remove());

const importing = (...more: string[]) =>
  bench.patchbay(["--json", "import", "dirge", "--from", home, "--project", project, ...more]);

test("what dirge has is listed with how it stands there", async () => {
  const { code, json } = await importing();
  expect(code).toBe(0);
  const { plugins } = json<{ plugins: { key: string; place: string; status: string }[] }>();
  expect(plugins.map(({ key, place, status }) => [key, place, status])).toEqual([
    ["hollow", "user", "error"],
    ["notes", "user", "enabled"],
    ["off", "user", "disabled"],
    ["safety", "user", "overridden"],
    ["safety", "project", "enabled"],
  ]);
});

test("what is switched on there is installed and switched on, with its settings", async () => {
  await bench.patchbay(["agent", "create", "helper"]);
  const { code, json } = await importing("--yes", "--agent", "helper");
  expect(code).toBe(0);
  const { plugins, left } = json<{
    plugins: { name: string; installed: boolean; switchedOn: boolean; problem: unknown }[];
    left: { name: string; status: string }[];
  }>();
  expect(
    plugins.map(({ name, installed, switchedOn, problem }) => [name, installed, switchedOn, problem]),
  ).toEqual([
    ["notes", true, true, null],
    ["safety", true, true, null],
  ]);
  expect(left.map(({ name, status }) => [name, status])).toEqual([
    ["hollow", "error"],
    ["off", "disabled"],
    ["safety", "overridden"],
  ]);
  const shown = await bench.patchbay(["--json", "plugin", "config", "notes", "--agent", "helper"]);
  expect(JSON.stringify(shown.json())).toContain('"autoStart":true');
});
