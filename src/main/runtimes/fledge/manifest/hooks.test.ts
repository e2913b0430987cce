import { expect, test } from "vitest";
import { readPluginToml } from "./plugin-toml.ts";

const head =
  '[plugin]\nname = "a"\nversion = "1.0.0"\ndescription = "A"\n[[commands]]\nname = "go"\nbinary = "go"\n';
const hooksOf = (text: string) => readPluginToml(head + text);

test("hooks are a table or a list of tables, with their names as fields or as values", () => {
  const hooks = { build: "make", post_install: "./after" };
  expect(hooksOf('[hooks]\nbuild = "make"\npost_install = "./after"').hooks).toEqual(hooks);
  expect(hooksOf('[[hooks]]\nbuild = "make"\n[[hooks]]\npost_install = "./after"').hooks).toEqual(hooks);
  expect(
    hooksOf('[[hooks]]\nname = "build"\ncommand = "make"\n[[hooks]]\nevent = "post_install"\nrun = "./after"')
      .hooks,
  ).toEqual(hooks);
});

test("a hook that is declared twice is a problem; one that nobody knows is named", () => {
  expect(() => hooksOf('[[hooks]]\nbuild = "a"\n[[hooks]]\nbuild = "b"')).toThrow("declared twice");
  expect(hooksOf('[[hooks]]\nname = "pre_commit"\ncommand = "x"').warnings).toContain(
    "The hook `pre_commit` is not known and never runs.",
  );
});
