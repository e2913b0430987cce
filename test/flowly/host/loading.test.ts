import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { closeHosts, type Opening, openHost } from "./flowly-host.ts";

afterEach(closeHosts);

/** Why a plugin of these files does not load. */
async function failure(opening: Opening | string) {
  const error = await openHost(opening).then(
    () => null,
    (reason) => reason,
  );
  return error as { code: string; message: string; details: Record<string, string> };
}

describe("a plugin is loaded", () => {
  test("under its own module name, with relative imports and its files beside it", async () => {
    const host = await openHost({
      key: "my-pack",
      files: {
        "__init__.py": `
import sys, importlib, pathlib
from . import helper
from .sub import LEAF
def register(ctx):
    late = importlib.import_module(".helper", __package__)
    text = (pathlib.Path(__file__).parent / "data.txt").read_text()
    print(__name__, __package__, __path__ == [str(pathlib.Path(__file__).parent)], __spec__.name, late is helper)
    print(sys.modules[__name__].__file__ == __file__, helper.ONE, LEAF, text, any(p in __file__ and p for p in sys.path))
`,
        "helper.py": "ONE = 1\n",
        "sub/__init__.py": "from ..helper import ONE\nLEAF = 'leaf %d' % ONE\n",
        "data.txt": "beside",
      },
    });
    expect(host.logs).toEqual([
      "stdout info: flowly_plugins.my_pack flowly_plugins.my_pack True flowly_plugins.my_pack True",
      "stdout info: True 1 leaf 1 beside False",
    ]);
    expect(existsSync(join(host.dir, "__pycache__"))).toBe(false);
    expect(await host.look("state")).toMatchObject({ module: "flowly_plugins.my_pack" });
  });

  test("when dataclasses, pickle and the names of the agent's modules are used", async () => {
    const host = await openHost({
      files: {
        "__init__.py": `
from __future__ import annotations
import dataclasses, pickle
from flowly.agent.hooks import BlockAction, ToolHookContext, VALID_EVENTS
from flowly.plugins import PluginContext, PluginManifest
from flowly.profile import get_flowly_home
from flowly.config.loader import load_config
@dataclasses.dataclass
class Point:
    x: int
def register(ctx: PluginContext) -> None:
    print(pickle.loads(pickle.dumps(Point(1))), isinstance(ctx, PluginContext), isinstance(ctx.manifest, PluginManifest))
    print(BlockAction("a") == BlockAction("a"), dataclasses.asdict(ToolHookContext("s"))["params"], len(VALID_EVENTS))
    print(get_flowly_home().name, load_config(), hasattr(ctx, "on_unload"))
`,
      },
    });
    expect(host.logs).toEqual([
      "stdout info: Point(x=1) True True",
      "stdout info: True {} 14",
      "stdout info: home {} False",
    ]);
  });

  test.each([
    ["async", "async def register(ctx):\n    ctx.register_command('late', print)\n"],
    ["a class", "class register:\n    def __init__(self, ctx): ctx.register_command('late', print)\n"],
    [
      "async with a loop",
      "import asyncio\nasync def register(ctx):\n    await asyncio.sleep(0)\n    ctx.register_command('late', print)\n",
    ],
  ])("when its register is %s", async (_what, code) => {
    const host = await openHost(code);
    expect(host.offers[0]?.commands.map(({ name }) => name)).toEqual(["late"]);
  });

  test("and offers nothing when its register is a generator, which never runs", async () => {
    const host = await openHost("def register(ctx):\n    ctx.register_command('x', print)\n    yield\n");
    expect(host.offers[0]?.commands).toEqual([]);
  });

  test("with packages of its virtual environment, and only when it needs one", async () => {
    const host = await openHost("def register(ctx):\n    import sys\n    print('site' in sys.modules)\n");
    expect(host.logs).toEqual(["stdout info: False"]);
    const site = join(host.dir, "..", "venv");
    mkdirSync(join(site, "acme_lib"), { recursive: true });
    writeFileSync(join(site, "acme_lib/__init__.py"), "NAME = 'acme'\n");
    const other = await openHost({
      files: { "__init__.py": "import acme_lib\ndef register(ctx):\n    print(acme_lib.NAME)\n" },
      site: [site],
    });
    expect(other.logs).toEqual(["stdout info: acme"]);
  });

  test("and an installed flowly comes before ours", async () => {
    const { dir } = await openHost("def register(ctx): pass\n");
    const site = join(dir, "..", "venv");
    mkdirSync(join(site, "flowly/agent"), { recursive: true });
    writeFileSync(join(site, "flowly/__init__.py"), "");
    writeFileSync(join(site, "flowly/agent/__init__.py"), "");
    writeFileSync(
      join(site, "flowly/agent/hooks.py"),
      "class BlockAction:\n    def __init__(self, message): self.message = message\n",
    );
    const code = `
from flowly.agent.hooks import BlockAction
def register(ctx):
    ctx.register_hook("pre_tool_call", lambda c: BlockAction("theirs"))
`;
    const host = await openHost({ files: { "__init__.py": code }, site: [site] });
    const { decision } = await host.hook("pre_tool_call", { tool_name: "t", params: {} });
    expect(decision).toEqual({ kind: "block", message: "theirs" });
  });
});

describe("a plugin that does not load says why in Flowly's words", () => {
  test.each([
    ["raise RuntimeError('boom')", "RuntimeError: boom"],
    ["raise RuntimeError", "RuntimeError: "],
    ["raise KeyError('k')", "KeyError: 'k'"],
    ["import sys; sys.exit(3)", "SystemExit: 3"],
    ["exit(4)", "SystemExit: 4"],
    ["raise KeyboardInterrupt", "KeyboardInterrupt: "],
    ["raise GeneratorExit('g')", "GeneratorExit: g"],
    ["import asyncio; raise asyncio.CancelledError('c')", "CancelledError: c"],
    ["x = 1", "missing register(ctx) function"],
    ["register = None", "missing register(ctx) function"],
    ["register = 5", "TypeError: 'int' object is not callable"],
    ["def register(ctx): raise SystemExit(2)", "SystemExit: 2"],
    ["async def register(ctx): raise ValueError('late')", "ValueError: late"],
    ["def f(): f()\nf()", expect.stringMatching(/^RecursionError: maximum recursion depth exceeded/)],
    [
      "class Nasty(Exception):\n    def __str__(self): raise LookupError('no text')\nraise Nasty",
      "Nasty: no text",
    ],
    [
      "def register(ctx): ctx.register_tool('a', {}, print)",
      expect.stringMatching(/register_tool\(\) takes 1 positional argument but 4 were given/),
    ],
    [
      "def register(ctx): ctx.register_tool(name='a', schema=None, handler=print)",
      "AttributeError: 'NoneType' object has no attribute 'get'",
    ],
    [
      "def register(ctx):\n    for n in ('five', 5): ctx.register_tool(name=n, schema={}, handler=print)",
      expect.stringMatching(/^TypeError: '<' not supported/),
    ],
    [
      "def register(ctx): ctx.register_skill('a:b', None)",
      "ValueError: skill name 'a:b' must not contain ':' — namespace is derived from plugin name 'plugin' automatically",
    ],
    [
      "def register(ctx): ctx.register_skill('a b', None)",
      "ValueError: invalid skill name 'a b'; must match [a-zA-Z0-9_-]+",
    ],
    [
      "def register(ctx): ctx.register_skill('a', 'SKILL.md')",
      "AttributeError: 'str' object has no attribute 'exists'",
    ],
    [
      "def register(ctx): ctx.register_web_search_provider(object())",
      "TypeError: register_provider() expects a WebSearchProvider instance, got object",
    ],
    [
      "def register(ctx): ctx.register_command(5, print)",
      "AttributeError: 'int' object has no attribute 'strip'",
    ],
  ])("%j", async (code, error) => {
    expect(await failure(code)).toMatchObject({ code: "START_FAILED", details: { error } });
  });

  test("with the place of a mistake in the writing", async () => {
    const { details } = await failure("def register(ctx:\n");
    expect(details.error).toMatch(/^SyntaxError: .* \(__init__.py, line 1\)$/);
    expect(details.traceback).toContain("def register(ctx:");
  });

  test("with a traceback that begins in the plugin and leaves our code out", async () => {
    const { details, message } = await failure("def register(ctx):\n    deeper()\ndef deeper():\n    1/0\n");
    expect(details.traceback).toMatch(
      /^Traceback \(most recent call last\):\n {2}File ".*__init__\.py", line 2, in register/,
    );
    expect(details.traceback).not.toContain("flowly-host/");
    expect(message).toBe("The plugin's Python code failed: ZeroDivisionError: division by zero");
  });

  test("without a file to load", async () => {
    const { details } = await failure({ files: { "other.py": "" } });
    expect(details.error).toMatch(/^FileNotFoundError: no __init__\.py in .*plugins\/plugin$/);
  });

  test("and names the package that is missing, but none of its own files", async () => {
    expect(await failure("import acme_missing.deep")).toMatchObject({
      details: { error: "ModuleNotFoundError: No module named 'acme_missing'", module: "acme_missing" },
    });
    for (const code of [
      "from .helper import x",
      "import own",
      "import flowly.nothing",
      "import json.nothing",
    ])
      expect(
        (await failure({ files: { "__init__.py": code, "own.py": "" } })).details.module,
      ).toBeUndefined();
  });

  test("and that it was written for Hermes, when it calls what only Hermes has", async () => {
    expect(await failure("def register(ctx): ctx.on_unload(print)")).toMatchObject({
      details: { dialect: "hermes", method: "on_unload" },
    });
    const imports = await failure("from hermes_cli.plugins import PluginContext");
    expect(imports.details).toMatchObject({ dialect: "hermes", method: "hermes_cli" });
    expect(imports.details.module).toBeUndefined();
    const plain = await failure("def register(ctx): ctx.no_such_thing()");
    expect(plain.details.dialect).toBeUndefined();
    const asked = "def register(ctx): print(getattr(ctx, 'state', 'absent'))";
    expect((await openHost(asked)).logs).toEqual(["stdout info: absent"]);
  });
});
