import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ofSkill } from "./skill-files.ts";

let root: string;
let skill: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "patchbay-skill-")));
  const folder = join(root, "plugin", "skills", "sorting");
  for (const name of ["references/deep", "templates", "scripts", "assets", "secret"])
    await mkdir(join(folder, name), { recursive: true });
  skill = join(folder, "SKILL.md");
  for (const name of ["SKILL.md", "notes.md", "references/a.md", "references/deep/b.md", "secret/key.md"])
    await writeFile(join(folder, name), "text");
  await writeFile(join(root, "plugin", "index.js"), "code");
  await writeFile(join(root, "outside.md"), "outside");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const beside = (name: string) => join(skill, "..", name);

test("the text of a skill and what lies in the four folders beside it can be read", async () => {
  const top = join(skill, "..");
  expect(await ofSkill([skill], skill)).toEqual({ top, parts: ["SKILL.md"] });
  expect(await ofSkill([skill], beside("references/a.md"))).toEqual({ top, parts: ["references", "a.md"] });
  expect(await ofSkill(["/gone/SKILL.md", skill], beside("references/deep/../deep/b.md"))).toEqual({
    top,
    parts: ["references", "deep", "b.md"],
  });
});

test.each([
  ["another file beside it", "notes.md"],
  ["another folder", "secret/key.md"],
  ["the folder itself", "references"],
  ["the code of the plugin", "../../index.js"],
  ["a way out of a folder", "references/../notes.md"],
  ["a way out of everything", "references/../../../../outside.md"],
  ["something that is not there", "references/none.md"],
  ["a name with a zero", "references/a.md\0.png"],
  ["a name that begins alike", "references-2/a.md"],
])("%s is not", async (_what, path) => {
  await mkdir(beside("references-2"));
  await writeFile(beside("references-2/a.md"), "text");
  expect(await ofSkill([skill], `${skill.slice(0, -"SKILL.md".length)}${path}`)).toBeNull();
});

test("a relative path is one of the workspace, whatever skills there are", async () => {
  expect(await ofSkill([skill], "SKILL.md")).toBeNull();
  expect(await ofSkill([skill], "references/a.md")).toBeNull();
});

test("links are followed, and count for where they lead", async () => {
  await symlink(join(root, "outside.md"), beside("references/out.md"));
  await symlink(beside("notes.md"), beside("references/notes.md"));
  await symlink(beside("references/a.md"), beside("assets/inner.md"));
  await rm(beside("templates"), { recursive: true });
  await symlink(root, beside("templates"));
  await symlink(skill, join(root, "way-in.md"));

  for (const name of ["references/out.md", "references/notes.md", "templates/outside.md"])
    expect(await ofSkill([skill], beside(name))).toBeNull();
  expect(await ofSkill([skill], beside("assets/inner.md"))).toMatchObject({ parts: ["references", "a.md"] });
  expect(await ofSkill([skill], join(root, "way-in.md"))).toMatchObject({ parts: ["SKILL.md"] });
});

test("a skill whose file or folder became a link since it was judged counts no more", async () => {
  const target = beside("references/a.md");
  await rm(skill);
  await symlink(join(root, "outside.md"), skill);
  expect(await ofSkill([skill], skill)).toBeNull();
  expect(await ofSkill([skill], join(root, "outside.md"))).toBeNull();
  expect(await ofSkill([skill], target)).toBeNull();

  await rm(skill);
  await writeFile(skill, "text");
  const moved = join(root, "moved");
  await rename(join(skill, ".."), moved);
  await symlink(moved, join(skill, ".."));
  expect(await ofSkill([skill], skill)).toBeNull();
  expect(await ofSkill([skill], join(moved, "references/a.md"))).toBeNull();
});
