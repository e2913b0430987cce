import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { foundByDirge } from "../found.ts";
import { dirgePlaces } from "./places.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "dirge-places-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text = "(def x 1)"): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const found = async (cwd = join(root, "project"), env: NodeJS.ProcessEnv = { HOME: root }) => {
  const { plugins, places, problem } = await foundByDirge(env, cwd);
  const short = (path: string | null | undefined) => path?.slice(root.length + 1);
  return {
    plugins: plugins.map(({ key, place, spec, status, theirs, lostTo }) =>
      [key, place, short(spec), status, theirs?.replaceAll(root, ""), short(lostTo)].filter(
        (part) => part !== undefined && part !== null,
      ),
    ),
    places: places.map(short),
    problem,
  };
};

test("files and folders of both places are found in the order of their names, the project's after the person's own", async () => {
  const own = ".config/dirge/plugins";
  for (const path of [
    "b.janet",
    "A/main.janet",
    "c/lib.janet",
    "c/tests/t.janet",
    "readme.md",
    ".hidden.janet",
  ])
    write(`${own}/${path}`);
  write("project/.git/HEAD");
  write("project/.dirge/plugins/z.janet");
  write("project/.dirge/plugins/d/x.janet");
  mkdirSync(join(root, "project/src"));
  expect(await found(join(root, "project/src"))).toEqual({
    plugins: [
      ["A", "user", `${own}/A`, "enabled"],
      ["b", "user", `${own}/b.janet`, "enabled"],
      ["c", "user", `${own}/c`, "enabled"],
      ["d", "project", "project/.dirge/plugins/d", "enabled"],
      ["z", "project", "project/.dirge/plugins/z.janet", "enabled"],
    ],
    places: [own, "project/.dirge/plugins"],
    problem: null,
  });
});

test("the project's plugin takes the place of the person's own of that name", async () => {
  write(".config/dirge/plugins/same.janet");
  write("project/.dirge/plugins/same/main.janet");
  expect((await found()).plugins).toEqual([
    [
      "same",
      "user",
      ".config/dirge/plugins/same.janet",
      "overridden",
      "overridden by .dirge/plugins/same",
      "project/.dirge/plugins/same",
    ],
    ["same", "project", "project/.dirge/plugins/same", "enabled"],
  ]);
});

test("a folder without sources is broken, in dirge's own words", async () => {
  write(".config/dirge/plugins/empty/notes.txt");
  const path = "/.config/dirge/plugins/empty";
  expect((await found()).plugins).toEqual([
    ["empty", "user", path.slice(1), "error", `plugin dir ${path} contains no .janet files`],
  ]);
});

test.each([
  [
    '{"plugins": {"a": {"enabled": false}, "b": {"enabled": true}, "c": {}}}',
    ["disabled", "enabled", "enabled"],
  ],
  ['{"plugins": {"a": {"enabled": "no"}, "b": 5}}', ["enabled", "enabled", "enabled"]],
  ['{"model": "x"}', ["enabled", "enabled", "enabled"]],
])("config.json %s switches them on and off", async (config, states) => {
  write(".config/dirge/config.json", config);
  for (const name of "abc") write(`.config/dirge/plugins/${name}.janet`);
  const { plugins, problem } = await found();
  expect(plugins.map(([, , , status]) => status)).toEqual(states);
  expect(problem).toBeNull();
});

test("a config.json that cannot be read is said, and switches nothing off", async () => {
  write(".config/dirge/config.json", "{");
  write(".config/dirge/plugins/a.janet");
  expect(await found()).toMatchObject({
    plugins: [["a", "user", ".config/dirge/plugins/a.janet", "enabled"]],
    problem: "dirge's config.json cannot be read, so every plugin counts as switched on.",
  });
});

test.each<[NodeJS.ProcessEnv, string, string]>([
  [{ HOME: "/h" }, "/h/.config/dirge", "/w"],
  [{ HOME: "/h", XDG_CONFIG_HOME: "/x" }, "/x/dirge", "/w"],
  [{ HOME: "/h", XDG_CONFIG_HOME: "x" }, "/h/.config/dirge", "/w"],
  [{ HOME: "/h", XDG_CONFIG_HOME: "/x", DIRGE_CONFIG_DIR: "/d" }, "/d", "/w"],
  [{ HOME: "/h", DIRGE_PROJECT_ROOT: "/p" }, "/h/.config/dirge", "/p"],
])("with %j dirge's folder is %s and the project %s", async (env, home, project) => {
  expect(await dirgePlaces(env, "/w")).toEqual({ home, project });
});
