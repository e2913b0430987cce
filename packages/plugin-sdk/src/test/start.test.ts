import { describe, expect, it } from "vitest";
import { z } from "zod";
import { definePlugin, tool } from "../index.ts";
import { createTestContext, fire, startHooks, startTools } from "./index.ts";

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  execute: ({ a, b }) => String(a + b),
});

const calculator = definePlugin({
  manifestVersion: 1,
  key: "calculator",
  displayName: "Calculator",
  description: "Adds.",
  parseConfig: (input) => ({ tools: { seen: input } }),
  tools: {
    namespace: "calc",
    async start(config, ctx) {
      ctx.logger(`config ${JSON.stringify(config)}`);
      ctx.reportRuntimeState({ ready: true });
      ctx.reportRuntimeState({ calls: 0 });
      const pi = {
        name: "pi",
        label: "pi",
        description: "As written for pi.",
        parameters: { type: "object" },
        execute: async (id: string, params: Record<string, unknown>, signal?: AbortSignal) => ({
          content: [{ type: "text" as const, text: `${id} ${JSON.stringify(params)} ${signal?.aborted}` }],
        }),
      };
      return { toolsets: [{ id: "calc", description: "Sums.", tools: [add, pi] }], stop: async () => {} };
    },
  },
  hooks: {
    events: ["tool.before@v1", "message.final@v1"],
    async start(_config, ctx) {
      ctx.on("tool.before@v1", ({ args }) => ({ allow: false, reason: `no ${args.what}` }), {
        priority: 200,
      });
      ctx.on("tool.before@v1", (payload) =>
        payload.args.what === "rewrite"
          ? { allow: true, payload: { ...payload, args: { what: "it" } } }
          : { allow: true },
      );
      return {
        handlers: { "message.final@v1": (payload) => ({ ...payload, text: payload.text.toUpperCase() }) },
        stop: async () => {},
      };
    },
  },
});

describe("a tool made with tool()", () => {
  it("carries the JSON Schema of its input", () => {
    expect(add.parameters).toMatchObject({
      type: "object",
      required: ["a"],
      properties: { a: { type: "number" } },
    });
  });

  it("is run with checked input, defaults filled in", async () => {
    const tools = await startTools(calculator);
    expect(await tools.call("add", { a: 2 })).toEqual({ content: [{ type: "text", text: "3" }] });
    await expect(tools.call("add", { a: "2" })).rejects.toThrow(/^a: /);
    await tools.stop();
  });
});

describe("startTools", () => {
  it("gives start what parseConfig made of the wrapper", async () => {
    const { test, stop } = await startTools(calculator, { limit: 3 });
    expect(test.logs).toEqual([{ level: "info", text: 'config {"seen":{"tools":{"limit":3}}}' }]);
    expect(test.state).toEqual({ ready: true, calls: 0 });
    await stop();
    expect(test.ctx.signal.aborted).toBe(true);
  });

  it("calls tools written for pi their way", async () => {
    const tools = await startTools(calculator);
    expect(await tools.call("pi", { x: 1 }, { toolCallId: "c7" })).toEqual({
      content: [{ type: "text", text: 'c7 {"x":1} false' }],
    });
    await tools.stop();
  });

  it("refuses an unknown tool and a name that is too long", async () => {
    const tools = await startTools(calculator);
    await expect(tools.call("divide")).rejects.toThrow("There is no tool divide; there are add, pi.");
    const long = { ...calculator, tools: { ...calculator.tools, namespace: "n".repeat(62) } };
    await expect(startTools(long)).rejects.toThrow("must be at most 64");
    await tools.stop();
  });
});

describe("firing an event", () => {
  const before = (what: string) => ({
    agentId: "a",
    sessionId: "s",
    toolCallId: "c",
    toolName: "t",
    args: { what },
    caller: null,
  });

  it("runs vetoes by priority and passes rewritten arguments on", async () => {
    expect(await fire(calculator, "tool.before@v1", before("rewrite"))).toEqual({
      allow: false,
      reason: "no it",
    });
    expect(await fire(calculator, "tool.before@v1", before("this"))).toEqual({
      allow: false,
      reason: "no this",
    });
  });

  it("runs handlers that start returned", async () => {
    const message = { agentId: "a", sessionId: "s", turnId: "t", messageId: "m", text: "done" };
    expect(await fire(calculator, "message.final@v1", message)).toEqual({ ...message, text: "DONE" });
  });

  it("takes a veto that throws or answers nonsense as a refusal", async () => {
    const broken = (handler: () => never) =>
      definePlugin({
        ...calculator,
        hooks: {
          events: ["tool.before@v1"],
          start: async () => ({ handlers: { "tool.before@v1": handler }, stop: async () => {} }),
        },
      });
    const throwing = broken(() => {
      throw new Error("broken");
    });
    expect(await fire(throwing, "tool.before@v1", before("x"))).toEqual({
      allow: false,
      reason: "Error: broken",
    });
    const nonsense = broken(() => 42 as never);
    expect(await fire(nonsense, "tool.before@v1", before("x"))).toEqual({
      allow: false,
      reason: "The handler answered 42, which is no decision.",
    });
  });

  it("refuses a subscription to an event that is not declared", async () => {
    const undeclared = definePlugin({
      ...calculator,
      hooks: {
        events: ["turn.end@v1"],
        start: async (_config, ctx) => {
          ctx.on("turn.start@v1", () => {});
          return { stop: async () => {} };
        },
      },
    });
    await expect(startHooks(undeclared)).rejects.toThrow("does not declare it in hooks.events");
  });
});

describe("createTestContext", () => {
  it("answers questions as scripted, then not at all, and records them", async () => {
    const { ctx, questions } = createTestContext({ answers: [true, "red", ["a", "b"], "text"] });
    expect(await ctx.ask.confirm("Sure?")).toBe(true);
    expect(await ctx.ask.select("Which?", { options: [{ value: "red", label: "Red" }] })).toBe("red");
    expect(await ctx.ask.multiSelect("Which ones?", { options: [] })).toEqual(["a", "b"]);
    expect(await ctx.ask.text("Name?", { secret: true })).toBe("text");
    expect(await ctx.ask.confirm("Still there?")).toBeNull();
    expect(questions.map(({ kind }) => kind)).toEqual([
      "confirm",
      "select",
      "multiSelect",
      "text",
      "confirm",
    ]);
    expect(questions[3]).toEqual({ kind: "text", message: "Name?", options: { secret: true } });
  });

  it("says when a scripted answer does not fit its question", async () => {
    const { ctx } = createTestContext({ answers: ["yes"] });
    await expect(ctx.ask.confirm("Sure?")).rejects.toThrow(
      'The scripted answer "yes" does not fit confirm "Sure?".',
    );
  });

  it("keeps storage as copies and shows secrets by name only", async () => {
    const { ctx, storage } = createTestContext({ storage: { seen: [1] }, secrets: { TOKEN: "t" } });
    const seen = (await ctx.storage.get("seen")) as number[];
    seen.push(2);
    expect(storage.get("seen")).toEqual([1]);
    await ctx.storage.set("seen", seen);
    await ctx.storage.delete("missing");
    expect(storage.get("seen")).toEqual([1, 2]);
    expect([ctx.secrets.names(), ctx.secrets.get("TOKEN"), ctx.secrets.has("OTHER")]).toEqual([
      ["TOKEN"],
      "t",
      false,
    ]);
  });

  it("records reported errors and forgets a handler that unsubscribed", () => {
    const test = createTestContext();
    test.ctx.reportRuntimeError("down");
    expect(test.error).toBe("down");
    test.ctx.reportRuntimeError(null);
    expect([test.error, test.errors]).toEqual([null, ["down", null]]);
    const off = test.ctx.on("turn.end@v1", () => {});
    expect(test.subscriptions()).toHaveLength(1);
    off();
    expect(test.subscriptions()).toHaveLength(0);
  });
});

it("fills in the defaults of the schemas of settings and tools, as Patchbay does", async () => {
  const plugin = definePlugin({
    ...calculator,
    configSchema: { properties: { tools: { type: "object", properties: { base: { default: 10 } } } } },
    parseConfig: (input) => input,
    tools: {
      namespace: "calc",
      start: async (config) => ({
        toolsets: [
          {
            id: "calc",
            description: "Sums.",
            tools: [
              {
                name: "show",
                description: "Shows what it gets.",
                parameters: { type: "object", properties: { digits: { default: 2 } } },
                execute: (input: Record<string, unknown>) => JSON.stringify({ config, input }),
              },
            ],
          },
        ],
        stop: async () => {},
      }),
    },
  });
  const tools = await startTools(plugin);
  const { content } = await tools.call("show");
  expect(content).toEqual([{ type: "text", text: '{"config":{"base":10},"input":{"digits":2}}' }]);
});

it("records what handlers and tools ask for beside their answers", async () => {
  const plugin = definePlugin({
    manifestVersion: 1,
    key: "asks",
    displayName: "Asks",
    description: "Asks.",
    tools: {
      namespace: "asks",
      start: async () => ({
        toolsets: [
          {
            id: "asks",
            description: "Asks.",
            tools: [
              tool({
                name: "go",
                description: "Goes on.",
                input: z.object({}),
                execute: (_input, { effects }) => {
                  effects.steer("go on");
                  return "";
                },
              }),
            ],
          },
        ],
        stop: async () => {},
      }),
    },
    hooks: {
      events: ["turn.end@v1"],
      start: async () => ({
        handlers: {
          "turn.end@v1": ({ text }, { effects }) => {
            effects.notify(text);
            effects.entry("ended", { at: new Date(0) });
          },
        },
        stop: async () => {},
      }),
    },
  });
  const tools = await startTools(plugin);
  await tools.call("go");
  expect(tools.test.effects).toEqual([{ kind: "steer", text: "go on" }]);
  const hooks = await startHooks(plugin);
  const ids = { agentId: "a", sessionId: "s", turnId: "t" };
  await hooks.fire("turn.end@v1", {
    ...ids,
    outcome: "done",
    text: "ok",
    model: "",
    caller: { kind: "owner" },
    channel: null,
  });
  expect(hooks.test.effects).toEqual([
    { kind: "notify", text: "ok", level: "info" },
    { kind: "entry", type: "ended", data: { at: "1970-01-01T00:00:00.000Z" }, display: true },
  ]);
});
