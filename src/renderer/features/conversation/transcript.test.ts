import { describe, expect, it } from "vitest";
import type { ToolTrace } from "../../../contract/turn.ts";
import type { TurnEvent } from "../../../contract/turn-event.ts";
import type { Item } from "./items.ts";
import { itemsOf, withEvent } from "./transcript.ts";

const at = "2026-01-01T00:00:00.000Z";
const play = (events: TurnEvent[]): Item[] =>
  events.reduce<Item[]>((items, event) => withEvent(items, event), []);

const trace = {
  toolCallId: "c1",
  tool: "my__space__open__it",
  title: "my__space.open__it",
  owner: null,
  outcome: "executed",
  result: { content: [{ type: "text", text: "ok" }] },
} as unknown as ToolTrace;

describe("a turn as it happens", () => {
  const started: TurnEvent = { type: "turn_started", turnId: "t1", sessionId: "s", text: "Hello", at };

  it("gathers what is streamed into one message and ends with the whole of it", () => {
    const items = play([
      started,
      { type: "text_delta", turnId: "t1", messageId: "m1", text: "Go" },
      { type: "text_delta", turnId: "t1", messageId: "m1", text: "od" },
    ]);
    expect(items.at(-1)).toMatchObject({ kind: "assistant", text: "Good", streaming: true });
    const whole = withEvent(items, { type: "message", turnId: "t1", messageId: "m1", text: "Good day" });
    expect(whole).toHaveLength(2);
    expect(whole.at(-1)).toMatchObject({ text: "Good day", streaming: false });
  });

  it("shows a message that is not for the model alike as it happens and as it is stored", () => {
    const aside = { kind: "dropped", by: "sieve", reason: "spam" } as const;
    const shown = { kind: "user", turnId: "t1", text: "Hello", aside };
    const ended = { outcome: "done", text: "", problem: null, ms: 1 } as const;
    const live = play([
      { ...started, aside },
      { type: "turn_ended", turnId: "t1", ...ended },
    ]);
    const user = {
      type: "user",
      id: "u1",
      turnId: "t1",
      text: "Hello",
      caller: { kind: "owner" },
      at,
    } as const;
    const stored = itemsOf([{ ...user, aside }], []);
    expect([live, stored]).toMatchObject([[shown], [shown]]);
    expect(itemsOf([user], [])[0]).not.toHaveProperty("aside");
  });

  it("shows a tool call from its start to its outcome", () => {
    const items = play([
      started,
      {
        type: "tool_started",
        turnId: "t1",
        toolCallId: "c1",
        tool: "shell",
        title: "my__space.open__it",
        owner: null,
        arguments: {},
      },
      { type: "approval_requested", turnId: "t1", toolCallId: "c1", approvalId: "a1" },
    ]);
    expect(items.at(-1)).toMatchObject({
      kind: "tool",
      title: "my__space.open__it",
      outcome: null,
      approvalId: "a1",
    });
    const ended = withEvent(items, { type: "tool_ended", turnId: "t1", toolCallId: "c1", trace });
    expect(ended.at(-1)).toMatchObject({ outcome: "executed", approvalId: null, content: [{ text: "ok" }] });
  });

  it("draws nothing twice when an event comes twice", () => {
    const tool: TurnEvent = {
      type: "tool_started",
      turnId: "t1",
      toolCallId: "c1",
      tool: "shell",
      title: "my__space.open__it",
      owner: null,
      arguments: {},
    };
    const ended: TurnEvent = {
      type: "turn_ended",
      turnId: "t1",
      outcome: "aborted",
      text: "",
      problem: null,
      ms: 1,
    };
    expect(play([started, started, tool, tool, ended, ended]).map((item) => item.kind)).toEqual([
      "user",
      "tool",
      "end",
    ]);
  });

  it("says nothing of a turn that ended well", () => {
    const ended: TurnEvent = {
      type: "turn_ended",
      turnId: "t1",
      outcome: "done",
      text: "",
      problem: null,
      ms: 1,
    };
    expect(play([started, ended])).toHaveLength(1);
  });
});

describe("a stored conversation", () => {
  it("has each call with its result and its trace, in order", () => {
    const items = itemsOf(
      [
        { type: "user", id: "u", turnId: "t1", text: "Hello", caller: { kind: "owner" }, at },
        {
          type: "assistant",
          id: "m",
          turnId: "t1",
          text: "",
          toolCalls: [{ id: "c1", name: "shell", arguments: {} }],
          at,
        },
        {
          type: "tool_result",
          id: "r",
          turnId: "t1",
          toolCallId: "c1",
          tool: "shell",
          outcome: "executed",
          content: [{ type: "text", text: "ok" }],
          at,
        },
        { type: "turn_end", turnId: "t1", outcome: "failed", problem: null, at },
      ],
      [{ type: "tool", turnId: "t1", call: trace }],
    );
    expect(items.map((item) => item.kind)).toEqual(["user", "tool", "end"]);
    expect(items[1]).toMatchObject({
      title: "my__space.open__it",
      outcome: "executed",
      trace,
      content: [{ text: "ok" }],
    });
  });
});
