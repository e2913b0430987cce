import { describe, expect, it } from "vitest";
import { SilenceFilter, spoken } from "./silence.ts";

function passed(...pieces: string[]): string {
  const out: string[] = [];
  const filter = new SilenceFilter((text) => out.push(text));
  for (const piece of pieces) filter.push(piece);
  return out.join("|");
}

describe("the mark of silence", () => {
  it("is never passed on, however it is cut", () => {
    expect(passed("<NO_REPLY>")).toBe("");
    expect(passed("<N", "O_", "REPLY", ">")).toBe("");
    expect(passed("Yes.<NO", "_REPLY> And no.")).toBe("Yes.| And no.");
  });

  it("holds back only what may become it", () => {
    expect(passed("a <b", "> c")).toBe("a <b|> c");
    expect(passed("a <", "NOTE>")).toBe("a |<NOTE>");
  });

  it("alone, or with nothing beside it, is silence", () => {
    expect(spoken(" <NO_REPLY>\n")).toEqual({ text: "", silent: true });
    expect(spoken("  ")).toEqual({ text: "  ", silent: true });
    expect(spoken("I do. <NO_REPLY>")).toEqual({ text: "I do.", silent: false });
  });
});
