import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeHosts, type OpenHost, openHost } from "./flowly-host.ts";

const code = `
from pathlib import Path
loop = {"properties": {"a": {}}}
loop["anyOf"] = [loop]
schemas = dict(
    own={"properties": {"text": {"type": "string"}, "mode": {"type": "string", "description": "How"}},
         "anyOf": [{"properties": {"mode": {"const": "x"}}}, {"properties": {"mode": {"const": "y"}}}]},
    only_required={"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    every={"type": "object", "allOf": [{"required": ["a"]}, {"required": ["b", "a"]}]},
    free={"oneOf": [{"properties": {"v": {"const": 1}}}, {"properties": {"v": {"type": "string", "description": "Any"}}}]},
    alike={"type": "object", "oneOf": [{"properties": {"v": {"enum": [1, True]}}}, {"properties": {"v": {"const": 1}}}]},
    nested={"type": "object", "anyOf": [{"allOf": [{"properties": {"in": {"type": "string"}}, "required": ["in"]}]}]},
    loop=loop,
)
def register(ctx):
    for name, schema in schemas.items():
        ctx.register_tool(name=name, schema={"parameters": schema}, handler=lambda **k: "ran")
    ctx.register_skill("k", Path(__file__).parent / "k" / "SKILL.md")
`;

let host: OpenHost;
beforeAll(async () => {
  host = await openHost({
    key: "shapes",
    manifest: { name: "shapes" },
    files: {
      "__init__.py": code,
      "k/SKILL.md": "text\n",
      "k/references/deep/b.MD": "b\n",
      "k/references/code.py": "1\n",
      "k/scripts/.hidden": "h\n",
      "k/scripts/__pycache__/run.pyc": "p\n",
      "k/scripts/run.py": "1\n",
      "k/assets/any.thing": "a\n",
    },
  });
});
afterAll(closeHosts);

describe("a union at the top of a schema", () => {
  test.each<[string, object]>([
    [
      "own",
      {
        properties: {
          text: { type: "string" },
          mode: { type: "string", description: "How", enum: ["x", "y"] },
        },
      },
    ],
    ["only_required", { properties: { a: {}, b: {} } }],
    ["every", { properties: {}, required: ["a", "b"] }],
    ["free", { properties: { v: { type: "string", description: "Any" } } }],
    ["alike", { properties: { v: { enum: [1, true] } } }],
    ["nested", { properties: { in: { type: "string" } }, required: ["in"] }],
    ["loop", { properties: { a: {} } }],
  ])("becomes one object: %s", (name, shown) => {
    const parameters = host.offers[0]?.tools.find((tool) => tool.name === name)?.parameters;
    expect(parameters).toEqual({ type: "object", additionalProperties: true, ...shown });
  });
});

describe("the files of a skill", () => {
  const view = async (file_path?: string) =>
    JSON.parse(await host.tool("skill_view", { name: "shapes:k", ...(file_path && { file_path }) }));

  test("are documents of the references, and all of the other folders that a person put there", async () => {
    expect((await view()).linked_files).toEqual({
      references: ["references/deep/b.MD"],
      scripts: ["scripts/run.py"],
      assets: ["assets/any.thing"],
    });
    expect(await view("references/code.py")).toMatchObject({ content: "1\n" });
  });

  test("are not read through a link that leads out of it, nor when they are large", async () => {
    const outside = join(dirname(host.dir), "outside.md");
    writeFileSync(outside, "secret\n");
    mkdirSync(join(host.dir, "k/templates"));
    symlinkSync(outside, join(host.dir, "k/templates/link.md"));
    writeFileSync(join(host.dir, "k/assets/large.txt"), "x".repeat(1024 * 1024 + 1));
    expect((await view()).linked_files).not.toHaveProperty("templates");
    expect(await view("templates/link.md")).toEqual({ error: "Invalid file path — no traversal allowed." });
    expect(await view("assets/large.txt")).toEqual({
      error: "File is larger than 1 MB — cannot display: assets/large.txt",
    });
  });
});
