import { expect, test } from "vitest";
import { sandboxFiles } from "./files.ts";
import type { LiteralPath } from "./library.ts";

const home = "/Users/ada";
const root = `${home}/Library/Application Support/Patchbay`;
const plugin = `${root}/plugins/weather`;
const base = {
  system: "darwin",
  home,
  read: ["/Applications/Patchbay.app"],
  write: ["/private/var/folders/x/T/w"],
} as const;
const nothing = { read: [plugin], write: [], hidden: [root] };
const paths = (list: LiteralPath[]) => list.map(({ path }) => path);

test("on macOS a plugin without permissions reads its own files and the system's, and writes to its own folders", () => {
  const rules = sandboxFiles({ ...base, wall: nothing });
  expect(paths(rules.denyRead)).toEqual(
    expect.arrayContaining(["/Users", "/Volumes", "/private/var", "/private/tmp", home, root]),
  );
  expect(paths(rules.allowRead)).toEqual(
    expect.arrayContaining([plugin, "/Applications/Patchbay.app", "/private/var/folders/x/T/w"]),
  );
  expect(paths(rules.allowRead)).not.toContain(home);
  expect(paths(rules.allowWrite)).toEqual(["/private/var/folders/x/T/w"]);
});

test("the folder that the library opens to all of its sandboxes is closed", () => {
  const rules = sandboxFiles({ ...base, wall: nothing });
  for (const path of ["/tmp/claude", "/private/tmp/claude"]) {
    expect(paths(rules.denyRead)).toContain(path);
    expect(paths(rules.denyWrite)).toContain(path);
  }
});

test("a granted folder is opened, to read or to write", () => {
  const wall = { read: [plugin, "/Volumes/Photos"], write: [`${root}/agents/a/workspace`], hidden: [root] };
  const rules = sandboxFiles({ ...base, wall });
  expect(paths(rules.allowRead)).toEqual(expect.arrayContaining(["/Volumes/Photos", wall.write[0]]));
  expect(paths(rules.allowWrite)).toEqual([wall.write[0], "/private/var/folders/x/T/w"]);
});

test("a granted folder that holds Patchbay's own is granted in pieces, without it", () => {
  const folders: Record<string, string[]> = {
    [home]: ["Documents", "Library", ".ssh"],
    [`${home}/Library`]: ["Application Support", "Fonts"],
    [`${home}/Library/Application Support`]: ["Patchbay", "Other"],
  };
  const wall = { read: [plugin], write: [home], hidden: [root] };
  const rules = sandboxFiles({ ...base, wall, write: [], list: (folder) => folders[folder] ?? [] });
  const pieces = ["Documents", "Library/Application Support/Other", "Library/Fonts", ".ssh"].map(
    (name) => `${home}/${name}`,
  );
  expect(paths(rules.allowWrite).sort()).toEqual(pieces.sort());
  expect(paths(rules.allowRead)).not.toContain(home);
  expect(paths(rules.denyRead)).toContain(root);
});

test("with all files granted, Patchbay's folder alone stays closed, but for what the plugin needs of it", () => {
  const wall = { read: [plugin, "/"], write: [`${root}/agents/a/workspace`], hidden: [root] };
  const rules = sandboxFiles({ ...base, wall });
  expect(paths(rules.denyRead)).toEqual([root, "/tmp/claude", "/private/tmp/claude"]);
  expect(paths(rules.allowRead)).toContain(plugin);
  expect(paths(rules.allowRead)).not.toContain("/");
  expect(paths(rules.allowWrite)).not.toContain("/");
});

test("a plugin's own files stay as they are also in a folder that it may change, unless one in them is granted", () => {
  const workspace = `${home}/project`;
  const linked = `${workspace}/plugin`;
  const rules = (read: string[], write: string[]) =>
    paths(sandboxFiles({ ...base, wall: { read, write, hidden: [root] } }).denyWrite);
  expect(rules([linked], [workspace])).toContain(linked);
  expect(rules([linked], ["/"])).toContain(linked);
  expect(rules([plugin], [workspace])).not.toContain(plugin);
  // A refusal would count before the grant inside.
  expect(rules([linked], [workspace, `${linked}/data`])).not.toContain(linked);
  expect(rules([linked], [workspace, linked])).not.toContain(linked);
});

test("every path counts as it is written, whatever characters it has", () => {
  const wall = { read: ["/Volumes/[a*b]?"], write: [], hidden: [] };
  expect(sandboxFiles({ ...base, wall }).allowRead).toContainEqual({
    path: "/Volumes/[a*b]?",
    literal: true,
  });
});
