import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeHosts, type OpenHost, openHost } from "./flowly-host.ts";

const code = `
from flowly.agent.hooks import BlockAction, RewriteAction, SkipAction
import functools
class Own(BlockAction): pass
class Fake:
    message = "fake"
async def co(c): return BlockAction("async")
async def nested(c): return co(c)
def gen(c): yield BlockAction("gen")
def boom(c): raise KeyError("guard")
def leaves(c): raise SystemExit(2)
results = dict(
    none=None, empty="", text="a string", zero=0, false=False, dct={"action": "block", "message": "no"},
    context={"context": 5}, block=BlockAction("no way"), bare=BlockAction(None), own=Own("sub"), fake=Fake(),
    cls=BlockAction, rewrite=RewriteAction("new"), five=RewriteAction(5), skip=SkipAction(), why=SkipAction("spam"), lst=[1],
)
seen = []
def guard(c):
    seen.append("first")
    how = c.params.get("how")
    if how == "del": del c.params["a"]
    if how == "set": c.params["a"] = "edited"
    if how == "odd": c.params["a"] = {1, 2} and {"k": b"x"}
    if how == "new": c.params = {"a": "new"}
    c.note = "kept"
    if how in ("co", "nested", "gen", "boom", "leaves"): return globals()[how](c)
    return results.get(how)
def second(c):
    seen.append("second")
    if c.params.get("how") == "block": return BlockAction("too late")
def after(c):
    print(c.tool_name, c.session_id, sorted(c.params), c.result, c.success, getattr(c, "note", None), type(c).__name__)
    c.result = "edited by post"
def register(ctx):
    ctx.register_tool(name="own", schema={"properties": {"a": {}}, "required": ["a"]}, handler=lambda **k: str(k))
    ctx.register_hook("pre_tool_call", guard)
    ctx.register_hook("pre_tool_call", second)
    ctx.register_hook("post_tool_call", after)
    ctx.register_hook("transform_tool_result", lambda c: c.result if c.params.get("how") == "see" else results.get(c.params.get("how")))
    ctx.register_hook("pre_llm_call", lambda c: (c.messages.append({"role": "user", "content": "added"}), results.get(c.user_message))[1])
    ctx.register_hook("pre_llm_call", lambda c: "always")
    def gateway(c):
        if c.event.content == "edit": c.event.content = "edited"
        print(c.event.session_key, c.gateway, type(c.event).__name__)
        return results.get(c.event.content)
    ctx.register_hook("pre_gateway_dispatch", gateway)
    ctx.register_hook("on_session_start", lambda c: print("start", c))
    ctx.register_hook("no_such_event", lambda c: None)
    def grows(c): ctx.register_hook("on_session_end", lambda c: seen.append("grown"))
    ctx.register_hook("on_session_end", grows)
    ctx.register_command("seen", lambda a: " ".join(seen))
`;

let host: OpenHost;
beforeAll(async () => {
  host = await openHost(code);
});
afterAll(closeHosts);

const guard = (how: string) =>
  host.hook("pre_tool_call", { tool_name: "t", session_id: "s", params: { how, a: "1" } });

describe("a guard", () => {
  test.each([
    ["block", "no way"],
    ["bare", "None"],
    ["own", "sub"],
    ["co", "async"],
  ])("blocks with %s", async (how, message) => {
    expect((await guard(how)).decision).toEqual({ kind: "block", message });
  });

  test.each([
    "none",
    "empty",
    "text",
    "zero",
    "false",
    "dct",
    "fake",
    "cls",
    "skip",
    "rewrite",
    "nested",
    "gen",
  ])("does not block with %s", async (how) => {
    expect(await guard(how)).toMatchObject({ decision: null, failures: [] });
  });

  test("that blocks does not keep later callbacks from running, and the first wins", async () => {
    const { returned } = await guard("block");
    expect(returned).toEqual([
      { kind: "block", message: "no way" },
      { kind: "block", message: "too late" },
    ]);
  });

  test.each([
    ["boom", "KeyError: 'guard'"],
    ["leaves", "SystemExit: 2"],
  ])("that fails is named (%s), and the others run", async (how, error) => {
    const answer = await guard(how);
    expect(answer).toMatchObject({ decision: null, failures: [{ error, callback: "plugin.guard" }] });
    expect(await host.command("seen")).toMatch(/first second$/);
  });

  test("changes the arguments in place; a new dict and what is no JSON are handled", async () => {
    expect((await guard("set")).ctx.params).toEqual({ how: "set", a: "edited" });
    expect((await guard("new")).ctx.params).toEqual({ how: "new", a: "1" });
    expect((await guard("odd")).ctx.params).toEqual({ how: "odd", a: { k: "b'x'" } });
  });
});

describe("after a tool", () => {
  const run = async (how: string) => {
    const ctx = { tool_name: "t", session_id: "s", params: { how } };
    await host.hook("pre_tool_call", ctx, `call-${how}`);
    const done = { ...ctx, result: "orig", duration_ms: 1.5, success: true };
    await host.hook("post_tool_call", done, `call-${how}`);
    return host.hook("transform_tool_result", done, `call-${how}`);
  };

  test("the hooks of one call get the same object", async () => {
    expect((await run("see")).decision).toEqual({ kind: "replace", text: "edited by post" });
    expect(host.logs).toContain("stdout info: t s ['how'] orig True kept ToolHookContext (call)");
  });

  test.each([
    ["text", { kind: "replace", text: "a string" }],
    ["empty", { kind: "replace", text: "" }],
    ["zero", null],
    ["lst", null],
    ["block", null],
  ])("the result is replaced by a text alone: %s", async (how, decision) => {
    expect((await run(how)).decision).toEqual(decision);
  });
});

describe("before a call of the model", () => {
  const ask = (user_message: string) =>
    host.hook("pre_llm_call", { session_id: "s", user_message, messages: [{ role: "user", content: "q" }] });

  test.each([
    ["text", ["a string", "always"]],
    ["context", ["5", "always"]],
    ["zero", ["always"]],
    ["dct", ["always"]],
    ["other", ["always"]],
  ])("every text and context counts: %s", async (how, texts) => {
    expect((await ask(how)).decision).toEqual({ kind: "contexts", texts });
  });

  test("edits of the messages come back", async () => {
    expect((await ask("x")).ctx.messages).toEqual([
      { role: "user", content: "q" },
      { role: "user", content: "added" },
    ]);
  });
});

describe("before a message is taken", () => {
  const send = (content: string) => {
    const event = { channel: "telegram", sender_id: "u", chat_id: "42", content, metadata: {} };
    return host.hook("pre_gateway_dispatch", { session_id: "s", event, gateway: "telegram" });
  };

  test.each([
    ["skip", { kind: "skip", reason: "" }],
    ["why", { kind: "skip", reason: "spam" }],
    ["rewrite", { kind: "rewrite", text: "new" }],
    ["five", { kind: "rewrite", text: "5" }],
    ["block", null],
    ["dct", null],
  ])("the first skip or rewrite wins: %s", async (content, decision) => {
    expect((await send(content)).decision).toEqual(decision);
  });

  test("an edit in place comes back", async () => {
    expect((await send("edit")).ctx.event).toEqual({ content: "edited" });
    expect(host.logs).toContain("stdout info: telegram:42 telegram InboundMessage (call)");
  });
});

test("a tool of the plugin itself gets what its hooks left, and required arguments are not asked for again", async () => {
  const own = { tool_name: "own", params: { raw: '{"a": "in", "how": "del"}' } };
  const { ctx } = await host.hook("pre_tool_call", own, "call-1");
  expect(ctx.params).toEqual({ how: "del" });
  expect(await host.tool("own", { how: "del" }, "call-1")).toBe("{'how': 'del'}");
  expect(await host.tool("own", { how: "del" }, "call-2")).toBe(
    "Error: Missing required parameter(s) for 'own': a",
  );
  const other = { tool_name: "other", params: { raw: '{"a": 1}' } };
  expect((await host.hook("pre_tool_call", other, "call-3")).ctx.params).toEqual(other.params);
});

test("each event with a callback is offered, the unknown with a warning", () => {
  const events = host.offers[0]?.hooks ?? [];
  expect(events.map(({ event }) => event)).toEqual([
    "pre_tool_call",
    "post_tool_call",
    "transform_tool_result",
    "pre_llm_call",
    "pre_gateway_dispatch",
    "on_session_start",
    "no_such_event",
    "on_session_end",
  ]);
  expect(events[0]).toMatchObject({ id: "pre_tool_call", priority: 100, failureMode: "skip" });
  expect(host.logs[0]).toMatch(
    /^plugin warn: plugin plugin: unknown hook event 'no_such_event' \(valid: on_/,
  );
});

test("a context has its own class, its defaults, and what was sent", async () => {
  await host.hook("on_session_start", { session_id: "cli:c1", model: "m", platform: "cli" });
  expect(host.logs).toContain(
    "stdout info: start SessionHookContext(session_id='cli:c1', task_id='', model='m', platform='cli', completed=True, interrupted=False) (call)",
  );
});

test("a callback that is added while an event fires runs in the same firing", async () => {
  await host.hook("on_session_end", { session_id: "s" });
  expect(await host.command("seen")).toMatch(/grown$/);
});
