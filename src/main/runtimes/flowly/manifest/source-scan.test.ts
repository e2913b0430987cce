import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scanSource } from "./source-scan.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flowly-source-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), text);
}

test("names that stand in the code are found, in calls of any shape", async () => {
  write(
    "__init__.py",
    `from .more import extra
TOOL = "weigh"
# ctx.register_tool(name="commented")
DOC = """ctx.register_tool(name="quoted")"""
def register(api):
    api.register_tool(schema={"name": "not_this"}, name=TOOL, handler=lambda **k: "x, y")
    api.register_hook("pre_tool_call", lambda c: None)
    api.register_hook(callback=print, hook_name='post_' 'tool_call')
    api.register_command("/Weigh", handler, args_hint="<what>")
    api.register_skill("guide", Path(__file__).parent / "SKILL.md")
    api.register_web_search_provider(Pond())
class Pond(WebSearchProvider):
    @property
    def name(self):
        return "pond"
`,
  );
  write("more/extra.py", 'def more(ctx):\n    ctx.register_tool(\n        name="measure",\n    )\n');
  write("__pycache__/old.py", 'ctx.register_tool(name="old")\n');
  write("notes.txt", 'ctx.register_tool(name="text")\n');
  expect(await scanSource(dir)).toEqual({
    tools: ["measure", "weigh"],
    hooks: ["post_tool_call", "pre_tool_call"],
    commands: ["weigh"],
    skills: ["guide"],
    webProviders: ["pond"],
    dynamic: false,
    hermes: [],
  });
});

test.each([
  ["for n in names:\n    ctx.register_tool(name=n, schema={}, handler=h)\n"],
  ['ctx.register_tool(name=f"get_{n}", schema={}, handler=h)\n'],
  ['ctx.register_hook("pre_" + kind, cb)\n'],
  ['A = "x"\nA = "y"\nctx.register_command(A, h)\n'],
])("names made while it runs are told apart: %j", async (source) => {
  write("__init__.py", source);
  expect(await scanSource(dir)).toMatchObject({ tools: [], hooks: [], commands: [], dynamic: true });
});

test("what only Hermes gives to plugins is recognised", async () => {
  write(
    "__init__.py",
    'def register(host):\n    host.on_unload(bye)\n    host.register_tool(name="t", schema={}, handler=h, override=True)\n    other.get_config()\n',
  );
  expect((await scanSource(dir)).hermes).toEqual(["on_unload", "override"]);
});

test("a folder that is not there has nothing", async () => {
  expect((await scanSource(join(dir, "nowhere"))).tools).toEqual([]);
});
