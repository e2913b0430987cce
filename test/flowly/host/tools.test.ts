import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeHosts, type OpenHost, openHost } from "./flowly-host.ts";

const code = `
import collections, decimal, enum, os
class Loud(str):
    def __str__(self): return "loud " + self.upper()
class Mute:
    def __str__(self): raise RuntimeError("no text")
class Numb:
    def __str__(self): return 5
class Waits:
    def __await__(self):
        if False: yield
        return "waited"
class NoText(Exception):
    def __str__(self): raise LookupError("no text")
class Level(enum.IntEnum): ONE = 1
async def co(): return "from co"
async def outer(): return co()
def throws(error):
    def handler(**k): raise error
    return handler
values = dict(
    text="plain", nothing=None, dct={"a": 1, "b": None, "c": True}, lst=[1, "two", 3.0], big=10**30, flt=1e22,
    raw=b"x\\xff", yes=True, err=KeyError("k"), dec=decimal.Decimal("1.10"), loud=Loud("raw"), half="\\ud83d",
    deque=collections.deque([1], maxlen=3), level=Level.ONE, mute=Mute(), numb=Numb(), waits=Waits(), gen=(x for x in "a"),
)
def register(ctx):
    add = lambda name, handler, schema={}, **more: ctx.register_tool(name=name, schema=schema, handler=handler, **more)
    for name, value in values.items(): add("v_" + name, lambda value=value: value)
    add("v_co", co)
    add("v_nested", outer)
    for name, error in dict(
        value=ValueError("v"), empty=ValueError(), key=KeyError("k"), two=Exception("a", 1), stop=StopIteration("s"),
        exit=SystemExit(3), interrupt=KeyboardInterrupt(), untold=NoText(),
    ).items(): add("e_" + name, throws(error))
    async def late(**k): raise StopIteration("s")
    add("e_late", late)
    add("kw", lambda **k: repr(sorted(k.items())))
    add("two", lambda a, b="B": repr((a, b)), {"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]})
    add("noargs", lambda: "none taken")
    up = lambda: os.environ.get("UP", "") == "1"
    def boom(): raise RuntimeError("probe broke")
    add("checked", lambda: "ran", check_fn=up)
    add("raising", lambda: "ran", check_fn=boom)
    add("truthy", lambda: "ran", check_fn=co)
    add("odd", lambda: "ran", check_fn=False)
    def switch(value): os.environ["UP"] = value
    add("switch", lambda value: switch(value))
    def more(): add("newborn", lambda: "born")
    add("more", lambda: more())
    add("huge", lambda: "x" * (33 * 1024 * 1024))
    add("wide", lambda: "ä" * (3 * 1024 * 1024))
    add("s1", print, {"description": "top", "parameters": {"properties": {"a": {}}}})
    add("s2", print, {"type": "function", "function": {"name": "n", "description": "inner", "parameters": {"required": ["q"]}}})
    add("s3", print, {"required": ["a"]}, description="said")
    add("s4", print, {"type": "object", "anyOf": [{"properties": {"op": {"const": "a"}}, "required": ["op", "x"]}, {"properties": {"op": {"enum": ["b"]}}, "required": ["op"]}]})
    add("s5", print, {"properties": {"a": {"default": {1}}}})
    add("", print)
    add("two_times", lambda: "first")
    add("two_times", lambda: "second")
`;

let host: OpenHost;
beforeAll(async () => {
  host = await openHost(code);
});
afterAll(closeHosts);

const offered = (at = -1) => host.offers.at(at)?.tools ?? [];

describe("a result is Python's own text of it", () => {
  test.each([
    ["text", "plain"],
    ["nothing", ""],
    ["dct", "{'a': 1, 'b': None, 'c': True}"],
    ["lst", "[1, 'two', 3.0]"],
    ["big", "1000000000000000000000000000000"],
    ["flt", "1e+22"],
    ["raw", "b'x\\xff'"],
    ["yes", "True"],
    ["err", "'k'"],
    ["dec", "1.10"],
    ["loud", "loud RAW"],
    ["half", "\ud83d"],
    ["deque", "deque([1], maxlen=3)"],
    ["waits", "waited"],
    ["co", "from co"],
    ["gen", expect.stringMatching(/^<generator object/)],
    ["nested", expect.stringMatching(/^<coroutine object co/)],
    ["level", expect.stringMatching(/^(1|Level\.ONE)$/)],
    ["mute", "Error executing v_mute: no text"],
    ["numb", "Error executing v_numb: __str__ returned non-string (type int)"],
  ])("%s", async (name, text) => {
    expect(await host.tool(`v_${name}`)).toEqual(text);
  });
});

describe("a handler that fails is answered in Flowly's words", () => {
  test.each([
    ["value", "v"],
    ["empty", ""],
    ["key", "'k'"],
    ["two", "('a', 1)"],
    ["stop", "s"],
    ["late", "coroutine raised StopIteration"],
    ["untold", "no text"],
    ["exit", "SystemExit: 3"],
    ["interrupt", "KeyboardInterrupt: "],
  ])("%s", async (name, text) => {
    expect(await host.tool(`e_${name}`)).toBe(`Error executing e_${name}: ${text}`);
    expect(host.logs.at(-1)).toMatch(/^plugin error: Tool e_\w+ failed\.\nTraceback .* \(call\)$/s);
    expect(await host.tool("noargs")).toBe("none taken");
  });
});

describe("arguments", () => {
  test.each<[string, Record<string, unknown>, unknown]>([
    ["kw", { x: 1, class: 2, "a-b": 3, "": 4 }, "[('', 4), ('a-b', 3), ('class', 2), ('x', 1)]"],
    ["kw", { self: 1, name: 2, handler: 3 }, "[('handler', 3), ('name', 2), ('self', 1)]"],
    ["two", { a: "7" }, "('7', 'B')"],
    ["two", { a: 0, b: null }, "(0, None)"],
    ["two", {}, "Error: Missing required parameter(s) for 'two': a"],
    ["two", { a: null }, "Error: Missing required parameter(s) for 'two': a"],
    ["two", { a: " \u00a0" }, "Error: Missing required parameter(s) for 'two': a"],
    ["two", { a: "\u200b" }, "('\\u200b', 'B')"],
    ["two", { raw: ' {"a": 5} ' }, "(5, 'B')"],
    ["two", { raw: "[1]" }, "Error: Missing required parameter(s) for 'two': a"],
    ["two", { raw: '{"a": 5' }, "Error: Missing required parameter(s) for 'two': a"],
    ["two", { raw: '{"a": 5}', b: 1 }, "Error: Missing required parameter(s) for 'two': a"],
    ["kw", { raw: '{"x": {"raw": "{}"}}' }, "[('x', {'raw': '{}'})]"],
    [
      "two",
      { a: 1, c: 2 },
      expect.stringMatching(/^Error executing two: .*unexpected keyword argument 'c'$/),
    ],
    [
      "noargs",
      { x: 1 },
      expect.stringMatching(/^Error executing noargs: .*unexpected keyword argument 'x'$/),
    ],
    ["absent", {}, "Error: Tool 'absent' not found"],
  ])("%s %j", async (name, input, text) => {
    expect(await host.tool(name, input)).toEqual(text);
  });
});

describe("what is offered", () => {
  test("is what is available, with parameters as a model reads them", () => {
    const found = (name: string) => offered(0).find((tool) => tool.name === name);
    expect(found("s1")).toMatchObject({
      description: "top",
      readOnly: false,
      parameters: { type: "object", properties: { a: {} } },
    });
    expect(found("s2")).toMatchObject({ description: "", parameters: { type: "object", required: ["q"] } });
    expect(found("s3")).toMatchObject({
      description: "said",
      parameters: { type: "object", properties: {} },
    });
    expect(found("s3")?.parameters).not.toHaveProperty("required");
    expect(found("s4")?.parameters).toEqual({
      type: "object",
      properties: { op: { enum: ["a", "b"] } },
      required: ["op"],
      additionalProperties: true,
    });
    expect(found("s5")?.parameters).toMatchObject({ properties: { a: { default: "{1}" } } });
    const names = offered(0).map(({ name }) => name);
    for (const name of ["checked", "raising", "odd", ""]) expect(names).not.toContain(name);
    expect(names).toContain("truthy");
  });

  test("says in the log what has no name", () => {
    expect(host.logs).toContain(
      "plugin warn: A tool cannot be offered, because its name is empty or too long.",
    );
  });

  test("and of two tools with one name the later one counts", async () => {
    expect(await host.tool("two_times")).toBe("second");
  });

  test("is told anew when a handler registers a tool", async () => {
    expect(await host.tool("more")).toBe("");
    await expect.poll(() => offered().map(({ name }) => name)).toContain("newborn");
    expect(await host.tool("newborn")).toBe("born");
  });
});

describe("availability", () => {
  test("is asked before each call; a check that raises or is none says no", async () => {
    expect(await host.tool("checked")).toBe("Error: Tool 'checked' is unavailable");
    expect(await host.tool("raising")).toBe("Error: Tool 'raising' is unavailable");
    expect(await host.tool("odd")).toBe("Error: Tool 'odd' is unavailable");
    expect(await host.tool("truthy")).toBe("ran");
  });

  test("that is lost is noticed at the call, in the adapter's words, and the tool is no longer offered", async () => {
    const other = await openHost({ files: { "__init__.py": code }, env: { UP: "1" } });
    expect(other.offers[0]?.tools.map(({ name }) => name)).toContain("checked");
    expect(await other.tool("checked")).toBe("ran");
    await other.tool("switch", { value: "0" });
    expect(await other.tool("checked")).toBe(
      "Error: checked is unavailable (plugin check_fn returned False)",
    );
    await expect.poll(() => other.offers.at(-1)?.tools.map(({ name }) => name)).not.toContain("checked");
  });
});

describe("an answer", () => {
  test("that is too large is said to be", async () => {
    expect(await host.tool("huge")).toBe("The plugin's answer is larger than 32 MB; it was thrown away.");
    expect((await host.tool("wide")).length).toBe(3 * 1024 * 1024);
  });
});
