import { expect, it } from "vitest";
import type { Effect, PluginSaid } from "../../../../contract/effects/effects.ts";
import type { SessionEntry } from "../../../../contract/turn.ts";
import type { TurnEvent } from "../../../../contract/turn-event.ts";
import { itemsOf, withEvent } from "../transcript.ts";
import { asksIn } from "./asks-in.ts";

const at = "2026-01-01T00:00:00.000Z";
const notify: PluginSaid = { kind: "notify", text: "seen", level: "info" };
const hidden: PluginSaid = { kind: "entry", type: "todo", data: 1, display: false };

it("shows what plugins leave alike as it happens and as it is stored, once, and not what is hidden", () => {
  const place = { turnId: "t", owner: "p" };
  const events: TurnEvent[] = [
    { type: "turn_started", turnId: "t", sessionId: "s", text: "go", by: "p", at },
    { type: "plugin_said", ...place, id: "1", said: notify },
    { type: "plugin_said", ...place, id: "1", said: notify },
    { type: "plugin_said", ...place, id: "2", said: hidden },
    { type: "steered", ...place, id: "3", text: "look" },
  ];
  const entries: SessionEntry[] = [
    { type: "user", id: "0", turnId: "t", text: "go", by: "p", caller: { kind: "owner" }, at },
    { type: "plugin", ...place, id: "1", said: notify, at },
    { type: "plugin", ...place, id: "2", said: hidden, at },
    { type: "steer", ...place, id: "3", text: "look", at },
  ];
  const live = events.reduce<ReturnType<typeof withEvent>>((items, event) => withEvent(items, event), []);
  const shown = [
    { kind: "user", text: "go", by: "p" },
    { kind: "said", id: "1", owner: "p", said: notify },
    { kind: "user", id: "3", text: "look", by: "p" },
  ];
  expect([live, itemsOf(entries, [])]).toMatchObject([shown, shown]);
});

it("names who asked for what in a tool call, each kind once", () => {
  const stop: Effect = { kind: "stopAfterTurn" };
  const hook = { event: "tool.after@v1", hookId: "h", startedAt: at, ms: 1, decision: "ran" as const };
  const hooks = [
    { ...hook, owner: "q", effects: [stop, stop] },
    { ...hook, owner: "r" },
    { ...hook, owner: "p", effects: [{ kind: "run" as const, text: "x" }] },
  ];
  const effects: Effect[] = [{ kind: "notify", text: "x", level: "info" }, stop];
  expect(asksIn({ owner: "p", effects, hooks })).toEqual([
    { owner: "p", kinds: ["stopAfterTurn", "run"] },
    { owner: "q", kinds: ["stopAfterTurn"] },
  ]);
});
