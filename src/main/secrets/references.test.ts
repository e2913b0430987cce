import { describe, expect, it } from "vitest";
import { findReferences, hasReference, resolveReferences } from "./index.ts";

const values: Record<string, string> = { TOKEN: "t-1", A: "${B}", B: "b", EMPTY: "", $: "no" };
const lookup = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
const resolve = <C>(config: C) => resolveReferences(config, lookup);

describe("references to secrets", () => {
  it("are found wherever a text is a value, each name once, in order", () => {
    const config = {
      tools: { token: "${TOKEN}", list: ["x ${{A}} y", { deep: "${B}${TOKEN}" }] },
      "${KEY}": 5,
      other: [null, true, 3],
    };
    expect(findReferences(config)).toEqual(["TOKEN", "A", "B"]);
  });

  it.each([
    ["${TOKEN}", "t-1"],
    ["${{TOKEN}}", "t-1"],
    ["Bearer ${TOKEN}, ${{B}}!", "Bearer t-1, b!"],
    ["$${TOKEN}", "$t-1"],
    ["${${TOKEN}}", "${t-1}"],
  ])("%s becomes %s", (text, expected) => {
    expect(resolve({ text })).toEqual({ config: { text: expected }, missing: [] });
  });

  it.each(["${}", "${1A}", "${A B}", "${a-b}", "$TOKEN", "${{}}", "{TOKEN}", "${ TOKEN }"])(
    "%s is not one",
    (text) => {
      expect(hasReference(text)).toBe(false);
      expect(resolve([text])).toEqual({ config: [text], missing: [] });
    },
  );

  it("in the value of a secret are not followed", () => {
    expect(resolve("${A}").config).toBe("${B}");
  });

  it("without a value are named, once each, and never left in the text", () => {
    const { config, missing } = resolve({ a: "x${NONE}y", b: ["${{NONE}}", "${OTHER}"], c: "${TOKEN}" });
    expect(missing).toEqual(["NONE", "OTHER"]);
    expect(config).toEqual({ a: "xy", b: ["", ""], c: "t-1" });
  });

  it("with an empty value are not missing", () => {
    expect(resolve("[${EMPTY}]")).toEqual({ config: "[]", missing: [] });
  });

  it("leave the config that was given as it was, and cannot touch prototypes", () => {
    const config = JSON.parse('{"__proto__": {"polluted": "${TOKEN}"}, "a": "${TOKEN}"}');
    const before = JSON.stringify(config);
    const resolved = resolve(config).config;
    expect(JSON.stringify(config)).toBe(before);
    expect(JSON.stringify(resolved)).toBe('{"__proto__":{"polluted":"t-1"},"a":"t-1"}');
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
  });
});
