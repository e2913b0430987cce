import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFiles } from "../../../../test/support/fixture-plugin.ts";
import { patchbayKeyOf } from "../hosted/foreign/keys.ts";
import { mayBeSet } from "../hosted/foreign/variables.ts";
import { inspectFlowly } from "./inspect.ts";
import { readSettings } from "./settings.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "patchbay-flowly-inspect-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const register = "def register(ctx):\n";
const inspect = (name = "package") => inspectFlowly({ dir, name }, true);

describe("an inspection", () => {
  test("calls a plugin without a name after the folder that it came from", async () => {
    await writeFiles(dir, { "plugin.yaml": "version: 1.10\n", "__init__.py": register });
    expect(await inspect("Sea_Urchin")).toMatchObject({
      manifestKey: "sea-urchin",
      displayName: "Sea_Urchin",
      packageVersion: "1.1",
      capabilities: { tools: { namespace: "sea-urchin" } },
      declaration: { registersMore: true, details: { flowlyKey: "Sea_Urchin" } },
    });
  });

  test("makes settings of the variables that it asks for; secret ones go to the vault, dangerous ones nowhere", async () => {
    const manifest = `requires_env:
  - WEATHER_API_KEY
  - {name: PLACE, description: Where you live.}
  - {name: PIN, secret: true, url: "https://example.com/pin"}
  - LD_PRELOAD
  - PYTHONPATH
  - 7
`;
    await writeFiles(dir, { "plugin.yaml": manifest, "__init__.py": register });
    const { declaration } = await inspect();
    expect(declaration.configSchema).toMatchObject({
      properties: { variables: { properties: { PLACE: { description: "Where you live." }, PIN: {} } } },
    });
    const schema = JSON.stringify(declaration.configSchema);
    for (const name of ["LD_PRELOAD", "PYTHONPATH"]) expect(schema).not.toContain(name);
    expect(declaration.secretKeys).toEqual([
      {
        key: "WEATHER_API_KEY",
        label: "WEATHER_API_KEY",
        path: ["variables", "WEATHER_API_KEY"],
        optional: true,
      },
      {
        key: "PIN",
        label: "PIN",
        path: ["variables", "PIN"],
        optional: true,
        url: "https://example.com/pin",
      },
    ]);
  });

  test("says that packages of the index are installed only when the person allows it", async () => {
    await writeFiles(dir, {
      "plugin.yaml": "name: x\n",
      "__init__.py": register,
      "requirements.txt": "httpx>=0.27\n",
    });
    expect((await inspect()).consent.scripts).toEqual([
      { name: "python packages", command: "pip install httpx>=0.27" },
    ]);
  });

  test("recognises the dialect of Hermes", async () => {
    await writeFiles(dir, {
      "plugin.yaml": "name: x\n",
      "__init__.py": `${register}    ctx.on_unload(print)\n`,
    });
    const { warnings } = await inspect();
    expect(warnings.join()).toContain("It is written for Hermes");
    expect(warnings.join()).toContain("ctx.on_unload");
  });

  test.each([
    ["kind: exclusive\nname: x\n", { "__init__.py": register }, /of the kind “exclusive”/],
    ["name: x\n", {}, /has no __init__\.py/],
    ["name: [\n", { "__init__.py": register }, /^plugin\.yaml of “package” is no valid YAML/],
    ["manifest_version: 2\n", { "__init__.py": register }, /is written for a newer Flowly/],
  ])("refuses %j with a sentence", async (manifest, files, sentence) => {
    await writeFiles(dir, { "plugin.yaml": manifest, ...files });
    await expect(inspect()).rejects.toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringMatching(sentence),
    });
  });
});

test.each([
  ["image_gen/openai", "image-gen-openai"],
  ["we.ird na/me", "we-ird-na-me"],
  ["Über", "uber"],
  ["--", "plugin"],
  ["日本", "plugin"],
  ["x".repeat(80), "x".repeat(64)],
])("Flowly's key %s becomes %s", (theirs, ours) => {
  expect(patchbayKeyOf(theirs)).toBe(ours);
});

test("settings never set what decides which code runs, or where Patchbay listens", () => {
  for (const name of [
    "PATH",
    "path",
    "LD_PRELOAD",
    "PYTHONPATH",
    "PATCHBAY_WIRE_FD",
    "FLOWLY_HOME",
    "A=B",
    "",
  ])
    expect(mayBeSet(name), name).toBe(false);
  const variables = { OPENAI_API_KEY: "k", PYTHONSTARTUP: "/tmp/x.py" };
  expect(readSettings({ variables, guards: "allow" })).toEqual({
    variables: { OPENAI_API_KEY: "k" },
    guards: "allow",
  });
  expect(readSettings({ variables: { A: 5 }, guards: "sometimes" })).toEqual({
    variables: {},
    guards: "block",
  });
});
