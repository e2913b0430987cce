import { describe, expect, test } from "vitest";
import { judgeEffects } from "./judge-effects.ts";

const notify = (text: string) => ({ kind: "notify", text, level: "info" });

describe("what a plugin asks for beside its answer", () => {
  test("is kept as it is when nothing is wrong with it", () => {
    const list = [
      { kind: "nextModel", model: "small" },
      { kind: "thinkingLevel", level: "high" },
      { kind: "stopAfterTurn" },
      { kind: "steer", text: "a" },
      { kind: "followUp", text: "b" },
      { kind: "run", text: "c" },
      notify("two\nlines"),
      { kind: "entry", type: "todo", data: { open: [1, null] }, display: false },
      {
        kind: "customMessage",
        content: "d",
        display: true,
        lines: [{ color: "red", text: "d" }],
      },
      { kind: "session", request: { op: "fork", id: "e1", position: "before" } },
    ];
    expect(judgeEffects(list)).toEqual({ effects: list, notes: [] });
  });

  test("has no signs in it that are not seen", () => {
    const { effects } = judgeEffects([
      notify("\u001b[31mred\u001b[0m \u0007"),
      { kind: "nextModel", model: "a\nb" },
      { kind: "entry", type: "t\u202e", data: { "k\u0000": "v\u0000" }, display: true },
      {
        kind: "customMessage",
        content: "c\u0000",
        display: true,
        lines: [{ color: "mauve", text: "\u0000" }],
      },
    ]);
    expect(effects).toEqual([
      notify("red \u2407"),
      { kind: "nextModel", model: "a b" },
      { kind: "entry", type: "t\ufffd", data: { "k\u2400": "v\u2400" }, display: true },
      {
        kind: "customMessage",
        content: "c\u2400",
        display: true,
        lines: [{ color: "darkgrey", text: "\u2400" }],
      },
    ]);
  });

  test("is at most a hundred things", () => {
    const { effects, notes } = judgeEffects(Array.from({ length: 101 }, (_, at) => notify(`${at}`)));
    expect(effects).toHaveLength(100);
    expect(notes).toEqual(["it asked for more than 100 things in one answer; only the first 100 count."]);
  });

  test("says at most 64 KiB to the person, and then that there was more", () => {
    const { effects, notes } = judgeEffects([
      notify("x".repeat(65_000)),
      notify("y".repeat(65_000)),
      notify("z"),
    ]);
    expect(effects).toEqual([
      notify("x".repeat(65_000)),
      notify("y".repeat(536)),
      { kind: "notify", text: "More was said at once than is shown; the rest was left out.", level: "warn" },
    ]);
    expect(notes).toHaveLength(1);
  });

  test("is left out when it is too large, no JSON, or empty", () => {
    const endless: Record<string, unknown> = {};
    endless.again = endless;
    const { effects, notes } = judgeEffects([
      { kind: "entry", type: "t", data: "x".repeat(300_000), display: true },
      { kind: "entry", type: "t", data: endless, display: true },
      { kind: "entry", type: "t", data: 5n, display: true },
      { kind: "steer", text: "  \n" },
      { kind: "customMessage", content: "x".repeat(200_000), display: true },
      null,
      { kind: 5 },
    ]);
    expect(effects).toEqual([]);
    expect(notes).toHaveLength(7);
  });
});
