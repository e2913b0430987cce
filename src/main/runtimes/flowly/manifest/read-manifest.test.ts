import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readManifest } from "./read-manifest.ts";

let dir: string;
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "flowly-manifest-")), "kelp-bed");
  mkdirSync(dir);
});
afterEach(() => rmSync(join(dir, ".."), { recursive: true }));

async function manifest(text: string | Uint8Array, name = "plugin.yaml") {
  writeFileSync(join(dir, name), text);
  const read = await readManifest(dir);
  if (read.kind !== "manifest") throw new Error(`${read.kind}: ${"theirs" in read ? read.theirs : ""}`);
  return read.manifest;
}

async function fault(text: string | Uint8Array, name = "plugin.yaml") {
  writeFileSync(join(dir, name), text);
  const read = await readManifest(dir);
  if (read.kind !== "broken") throw new Error(`It was ${read.kind}.`);
  expect(read.problem.code).toBe("MANIFEST_INVALID");
  return { theirs: read.theirs.replaceAll(dir, "DIR"), message: read.problem.message };
}

test("a manifest is read field by field, as Python's str makes the texts", async () => {
  expect(
    await manifest(
      "version: 2.50\ndescription: ~\nauthor: [a, 1.0, it's]\nkind: ' Backend '\nrequires_env: [{name: K, secret: yes}, 7]\n" +
        "provides_tools: ab\nprovides_hooks: {x: 1}\nprovides_web_providers: ~\nlicense: MIT\n",
    ),
  ).toEqual({
    name: "kelp-bed",
    version: "2.5",
    description: "None",
    author: `['a', 1.0, "it's"]`,
    kind: "backend",
    manifestVersion: 1,
    requiresEnv: [{ name: "K", secret: true }, 7],
    providesTools: ["a", "b"],
    providesHooks: ["x"],
    providesWebProviders: [],
    warnings: [],
  });
});

test("the first of the three files counts, whatever is in it", async () => {
  writeFileSync(join(dir, "plugin.json"), '{"version": "json"}');
  expect((await manifest("version: yml", "plugin.yml")).version).toBe("yml");
  expect((await manifest("", "plugin.yaml")).version).toBe("");
  expect((await fault("a: [")).theirs).toMatch(/^failed to parse DIR\/plugin\.yaml: /);
});

test("a link that leads nowhere is passed over, and a folder of that name is a fault", async () => {
  symlinkSync(join(dir, "nowhere"), join(dir, "plugin.yaml"));
  expect((await manifest("version: yml", "plugin.yml")).version).toBe("yml");
  rmSync(join(dir, "plugin.yaml"));
  mkdirSync(join(dir, "plugin.yaml"));
  const read = await readManifest(dir);
  expect(read.kind === "broken" && read.theirs).toContain("cannot read");
});

test("a folder without any of the files has no manifest", async () => {
  writeFileSync(join(dir, "plugin.toml"), "");
  expect(await readManifest(dir)).toEqual({ kind: "absent" });
});

test.each([
  ["- a", "DIR/plugin.yaml: manifest root must be a mapping", "must consist of names with values"],
  ["manifest_version: 3", "exceeds supported 1 — upgrade flowly", "is written for a newer Flowly"],
  ["manifest_version: 0x10", "manifest_version 16 exceeds", "`manifest_version` is 16"],
  ["manifest_version: one", "ValueError: invalid literal for int() with base 10: 'one'", "a whole number"],
  ["manifest_version: .nan", "ValueError: cannot convert float NaN to integer", "a whole number"],
  ["manifest_version: -.inf", "OverflowError: cannot convert float infinity to integer", "a whole number"],
  [
    "manifest_version: {a: 1}",
    "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'dict'",
    "a whole number",
  ],
  ["provides_hooks: 3", "TypeError: 'int' object is not iterable", "`provides_hooks`, which must be a list"],
  [
    "requires_env: 2030-12-24 01:02:03",
    "TypeError: 'datetime.datetime' object is not iterable",
    "`requires_env`, which must be a list",
  ],
  ["name: !mine x", "could not determine a constructor for the tag '!mine'", "is no valid YAML"],
  ["version: 2023-02-29", "day is out of range for month", "is no valid YAML"],
])("%s is a fault of this plugin alone", async (text, theirs, message) => {
  const found = await fault(text);
  expect(found.theirs).toContain(theirs);
  expect(found.message).toContain(message);
  expect(found.message).toMatch(/^plugin\.yaml of “kelp-bed” .*\.$/);
});

test.each([
  [[0x61, 0x3a, 0x20, 0xff], "0xff in position 3: invalid start byte"],
  [[0x61, 0x3a, 0x20, 0xc3, 0x28], "0xc3 in position 3: invalid continuation byte"],
  [[0x61, 0x3a, 0x20, 0xe2, 0x82], "0xe2 in position 3: unexpected end of data"],
  [[0x61, 0xed, 0xa0, 0x80], "0xed in position 1: invalid continuation byte"],
])("bytes that are no UTF-8 are named: %j", async (bytes, theirs) => {
  const found = await fault(Uint8Array.from(bytes));
  expect(found.theirs).toBe(`UnicodeDecodeError: 'utf-8' codec can't decode byte ${theirs}`);
  expect(found.message).toContain("is not written in UTF-8");
});

test("a file of more than a megabyte is not read", async () => {
  expect((await fault(`description: ${"x".repeat(1024 * 1024)}`)).message).toContain("larger than 1 MB");
});

test("JSON is read as Python reads it", async () => {
  const read = await manifest(
    '{"version": 1e3, "description": NaN, "author": 12345678901234567890123}',
    "plugin.json",
  );
  expect([read.version, read.description, read.author]).toEqual(["1000.0", "nan", "12345678901234567890123"]);
});

test("an unknown kind is taken for standalone, with Flowly's warning", async () => {
  const read = await manifest("name: reef\nkind: Plug'in\n");
  expect(read.kind).toBe("standalone");
  expect(read.warnings).toEqual([
    `plugin reef: unknown kind "Plug'in" (valid: backend, exclusive, standalone); treating as standalone`,
  ]);
  expect(await manifest("kind: 5")).toMatchObject({ kind: "standalone", warnings: [] });
});
