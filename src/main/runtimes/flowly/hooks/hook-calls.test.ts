import { describe, expect, test } from "vitest";
import type { FlowlyEvent } from "./event-map.ts";
import { callHooks, type HookAsk, type HookWorld } from "./hook-calls.ts";
import type { HookAnswer } from "./host-answer.ts";
import { Injections } from "./injections.ts";

const nothing: HookAnswer = { decision: null, failures: [], ctx: {} };

function world(
  answers: Partial<Record<FlowlyEvent, Partial<HookAnswer>>>,
  more: Partial<HookWorld> = {},
): HookWorld & { asked: [FlowlyEvent, HookAsk][] } {
  const asked: [FlowlyEvent, HookAsk][] = [];
  return {
    plugin: "Gate",
    registered: () => new Set(Object.keys(answers)),
    guards: "block",
    injections: new Injections(),
    toolName: (name) => name,
    fire: async (event, ask) => {
      asked.push([event, ask]);
      return { ...nothing, ...answers[event] };
    },
    ...more,
    asked,
  };
}

const ids = { agentId: "ada", sessionId: "s1" };
const toolCall = { ...ids, toolCallId: "c1", toolName: "shell", args: { command: "ls" }, caller: null };
const user = (text: string) => ({ role: "user" as const, text });

describe("a guard", () => {
  test("that blocks refuses the call with its message", async () => {
    const gate = world({ pre_tool_call: { decision: { kind: "block", message: "not on Fridays" } } });
    expect(await callHooks("tool.before@v1", toolCall, gate)).toEqual({
      allow: false,
      reason: "not on Fridays",
    });
    expect(gate.asked).toEqual([
      [
        "pre_tool_call",
        { ctx: { session_id: "s1", tool_name: "shell", params: { command: "ls" } }, call: "c1" },
      ],
    ]);
  });

  test("that changes ctx.params in place rewrites the arguments", async () => {
    const params = { command: "ls -la" };
    expect(
      await callHooks("tool.before@v1", toolCall, world({ pre_tool_call: { ctx: { params } } })),
    ).toEqual({
      allow: true,
      payload: { args: params },
    });
    const same = { command: "ls" };
    expect(
      await callHooks("tool.before@v1", toolCall, world({ pre_tool_call: { ctx: { params: same } } })),
    ).toEqual({ allow: true });
  });

  const failures = [{ error: "KeyError: 'x'", callback: "register.<locals>.guard" }];

  test("that fails blocks, unless the person let it fail open", async () => {
    await expect(
      callHooks("tool.before@v1", toolCall, world({ pre_tool_call: { failures } })),
    ).rejects.toMatchObject({ code: "HOOK_FAILED", message: "a guard of Gate failed (KeyError: 'x')" });
    const open = world({ pre_tool_call: { failures } }, { guards: "allow" });
    expect(await callHooks("tool.before@v1", toolCall, open)).toEqual({ allow: true });
  });
});

describe("a result", () => {
  const result = {
    ...ids,
    toolCallId: "c1",
    toolName: "gate__x",
    args: {},
    content: [
      { type: "text", text: "Errors: 0" },
      { type: "image", data: "AA==", mimeType: "image/png" },
    ],
    isError: false,
    durationMs: 12,
  };

  test("is shown to post hooks before it is given to those that may replace it; pictures stay", async () => {
    const gate = world({
      post_tool_call: {},
      transform_tool_result: { decision: { kind: "replace", text: "" } },
    });
    expect(await callHooks("tool.result@v1", result, gate)).toEqual({
      content: [{ type: "text", text: "" }, result.content[1]],
    });
    expect(gate.asked.map(([event]) => event)).toEqual(["post_tool_call", "transform_tool_result"]);
    // A result that begins with “Error” counts as a failure, as in Flowly.
    expect(gate.asked[0]?.[1].ctx).toMatchObject({ result: "Errors: 0", duration_ms: 12, success: false });
  });
});

describe("context for a model call", () => {
  const turn = { ...ids, turnId: "t1" };
  const block = (...texts: string[]) => `<plugin_context>\n${texts.join("\n\n")}\n</plugin_context>\n\n`;
  const messages = [user("first"), { role: "assistant" as const, text: "a" }, user("question")];
  const saying = (...texts: string[]) => ({
    pre_llm_call: { decision: { kind: "contexts" as const, texts } },
  });

  test("of several plugins stands once in one block before the last message of the person", async () => {
    const injections = new Injections();
    const one = world(saying("one", ""), { injections });
    const changed = await callHooks("model.before@v1", { ...turn, messages }, one);
    expect(changed).toEqual({ messages: [...messages.slice(0, 2), user(`${block("one")}question`)] });
    const two = world(saying("two"), { injections });
    expect(await callHooks("model.before@v1", { ...turn, ...(changed as object) }, two)).toEqual({
      messages: [...messages.slice(0, 2), user(`${block("one", "two")}question`)],
    });
    expect(two.asked[0]?.[1].ctx).toMatchObject({ user_message: "question" });
  });

  test("does not pile up over the model calls of a turn", async () => {
    const gate = world(saying("again"));
    const first = await callHooks("model.before@v1", { ...turn, messages }, gate);
    expect(await callHooks("model.before@v1", { ...turn, messages }, gate)).toEqual(first);
  });

  test("is not looked for in what another turn, or the person, wrote", async () => {
    const gate = world(saying("mine"));
    await callHooks("model.before@v1", { ...turn, messages }, gate);
    const quoted = [user(`${block("theirs")}question`)];
    expect(await callHooks("model.before@v1", { ...turn, messages: quoted }, gate)).toEqual({
      messages: [user(`${block("mine")}${block("theirs")}question`)],
    });
  });

  test("is none where a hook returns nothing; what it did to the list of messages reaches the model", async () => {
    const idle = world({ pre_llm_call: {} });
    expect(await callHooks("model.before@v1", { ...turn, messages }, idle)).toBeUndefined();
    const appended = [{ role: "user", content: "one more" }];
    const appending = world({ pre_llm_call: { ctx: { messages: appended } } });
    expect(await callHooks("model.before@v1", { ...turn, messages }, appending)).toEqual({
      messages: [user("one more")],
    });
  });
});

describe("an incoming message", () => {
  const metadata = { userId: "u9", conversation: "42", thread: 7 };
  const fromChannel = { ...ids, channel: "telegram", text: "hi", metadata };
  const fromOwner = { ...ids, text: "hi", caller: { kind: "owner" }, channel: null };

  test("says who wrote, and in which chat", async () => {
    const gate = world({ pre_gateway_dispatch: {} });
    await callHooks("channel.message.in@v1", fromChannel, gate);
    await callHooks("session.message.received@v1", fromOwner, gate);
    expect(gate.asked.map(([, { ctx }]) => ctx)).toEqual([
      {
        session_id: "s1",
        gateway: "telegram",
        event: {
          channel: "telegram",
          sender_id: "u9",
          chat_id: "42",
          content: "hi",
          metadata: { thread: 7 },
        },
      },
      {
        session_id: "s1",
        gateway: "cli",
        event: { channel: "cli", sender_id: "owner", chat_id: "s1", content: "hi", metadata: {} },
      },
    ]);
  });

  test.each([
    [{ decision: { kind: "skip" as const, reason: "spam" } }, { drop: true, reason: "spam" }],
    [{ decision: { kind: "skip" as const, reason: "" } }, { drop: true }],
    [{ decision: { kind: "rewrite" as const, text: "" } }, { text: "" }],
    [{ ctx: { event: { content: "edited" } } }, { text: "edited" }],
    [{ ctx: { event: { content: "hi" } } }, undefined],
  ])("is dropped, rewritten or left: %j", async (answer, expected) => {
    const gate = world({ pre_gateway_dispatch: answer });
    expect(await callHooks("channel.message.in@v1", fromChannel, gate)).toEqual(expected);
    expect(await callHooks("session.message.received@v1", fromOwner, gate)).toEqual(expected);
  });

  test("of a channel is asked about once: not again when it is received in the conversation", async () => {
    const gate = world({ pre_gateway_dispatch: {} });
    const channel = { name: "telegram", group: false };
    expect(await callHooks("session.message.received@v1", { ...fromOwner, channel }, gate)).toBeUndefined();
    expect(gate.asked).toEqual([]);
  });
});
