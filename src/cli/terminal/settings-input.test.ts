import { describe, expect, it } from "vitest";
import { applySettings } from "./settings-input.ts";

const tools = ["tools"];

describe("settings given at the command line", () => {
  it("go into the part in which all settings lie", () => {
    expect(applySettings({}, tools, { set: [["limit", 3]], unset: [] })).toEqual({ tools: { limit: 3 } });
  });

  it("may name that part themselves", () => {
    expect(applySettings({}, tools, { set: [["tools.limit", 3]], unset: [] })).toEqual({
      tools: { limit: 3 },
    });
  });

  it("are named whole where there is no such part", () => {
    expect(applySettings({}, [], { set: [["hooks.rules.strict", true]], unset: [] })).toEqual({
      hooks: { rules: { strict: true } },
    });
  });

  it("leave the others alone, and those that were given", () => {
    const before = { tools: { a: 1, b: { c: 2 } } };
    expect(applySettings(before, tools, { set: [["b.d", 3]], unset: ["a"] })).toEqual({
      tools: { b: { c: 2, d: 3 } },
    });
    expect(before).toEqual({ tools: { a: 1, b: { c: 2 } } });
  });

  it("cannot reach into the prototype of objects", () => {
    applySettings({}, tools, { set: [["__proto__.polluted", true]], unset: [] });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});
