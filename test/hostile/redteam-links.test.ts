import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Grants } from "../../src/contract/index.ts";
import { type Attacker, HostileWorld, loot, nestedFolders } from "./support.ts";

/** Links of a stranger that would be followed while the wall is built, outside of it. */
let world: HostileWorld;

beforeAll(async () => {
  world = await HostileWorld.open();
});
afterAll(() => world[Symbol.asyncDispose]());

const key = () => join(world.person, ".ssh", "id_ed25519");

/** Reads the key of the person by all the ways that links may have opened. */
async function expectNoKey(attacker: Attacker, ...paths: string[]): Promise<void> {
  const got = await attacker.run(
    ({ require, arg, each }) =>
      each(
        Object.fromEntries(
          (arg as string[]).map((path) => [path, () => require("node:fs").readFileSync(path, "utf8")]),
        ),
      ),
    [key(), ...paths],
  );
  world.expectNothing(got);
  await attacker.seen("files", ".ssh");
}

/** A repository that the person cloned, and whose plugin they link, has links of its own. */
test.each([
  ["a dependency that is a link to the person's keys", { x: "*" }, "node_modules/x"],
  ["a dependency of a scope that is a link", { "@x/.ssh": "*" }, "node_modules/@x"],
  ["a dependency whose name climbs to a link", { "../climb": "*" }, "climb"],
  ["a folder of modules that is a link itself", {}, "node_modules"],
])("a linked repository with %s does not show them to its plugin", async (what, dependencies, at) => {
  const name = `repo${what.length}`;
  const repo = join(world.folder, "sources", name);
  await mkdir(join(repo, "node_modules"), { recursive: true });
  if (at === "node_modules") await rename(join(repo, "node_modules"), join(repo, "old"));
  const target = at.endsWith("@x") ? world.person : join(world.person, ".ssh");
  await symlink(target, join(repo, at));
  const attacker = await world.linked(name, join(repo, "plugin"), { dependencies });
  await expectNoKey(attacker, join(repo, at, "id_ed25519"), join(repo, at, ".ssh", "id_ed25519"));
});

test("a link in the place of a folder that was granted shows nothing else at the next start", async () => {
  // One of the granted folders lies in another, in which the plugin may change everything.
  const outer = join(world.folder, "projects");
  const inner = join(outer, "notes");
  await mkdir(inner, { recursive: true });
  await writeFile(join(inner, "note.txt"), "a note");
  const swapper = await world.plugin("swapper", { files: "none" });
  const grants = nestedFolders(outer, inner, "none");
  const path = "/agents/helper/plugins/swapper";
  await world.app.rest("PUT", `${path}/permissions`, { grants });
  const read = ({ require, arg }: { require: (name: string) => typeof import("node:fs"); arg: string }) =>
    require("node:fs").readFileSync(arg, "utf8");
  expect(await swapper.run(read, join(inner, "note.txt"))).toEqual({ value: "a note" });
  // Inside, the inner folder is a mount and cannot be moved; an accomplice of the same author has the outer one alone.
  const accomplice = await world.plugin("accomplice");
  const outerAlone = { ...grants, files: { ...grants.files, folders: grants.files.folders.slice(0, 1) } };
  await world.app.rest("PUT", "/agents/helper/plugins/accomplice/permissions", { grants: outerAlone });
  const swapped = await accomplice.run(
    ({ require, arg }) => {
      const fs = require("node:fs");
      fs.renameSync(arg.inner, `${arg.inner}-old`);
      // Links are refused by Node's own permissions; a program that was granted makes them.
      return fs.existsSync(arg.inner);
    },
    { inner },
  );
  expect(swapped).toEqual({ value: false });
  await symlink(join(world.person, ".ssh"), inner);
  await world.app.rest("POST", `${path}/restart`);
  await swapper.run(() => 1);
  const got = await swapper.run(read, join(inner, "id_ed25519"));
  world.expectNothing(got);
  await swapper.seen("files", "leads elsewhere now");
  expect(JSON.stringify(got)).not.toContain(loot);
});

test("a granted link is the folder that it led to when it was granted", async () => {
  const [one, link] = [join(world.folder, "one"), join(world.folder, "link")];
  await mkdir(one);
  await writeFile(join(one, "a.txt"), "the one");
  await symlink(one, link);
  const reader = await world.plugin("reader");
  const path = "/agents/helper/plugins/reader/permissions";
  const grants: Grants = {
    network: { reach: "none", hosts: [], refused: [] },
    files: { workspace: "none", folders: [{ path: link, access: "read" }] },
    programs: { reach: "none", names: [] },
  };
  await world.app.rest("PUT", path, { grants });
  const kept = (await world.app.rest("GET", path)) as { grants: Grants };
  expect(kept.grants.files.folders).toEqual([{ path: one, access: "read" }]);
  const got = await reader.run(
    ({ require, arg }) => require("node:fs").readFileSync(arg, "utf8"),
    join(one, "a.txt"),
  );
  expect(got).toEqual({ value: "the one" });
});
