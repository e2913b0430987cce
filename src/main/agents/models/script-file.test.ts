import { expect, test } from "vitest";
import { parseScript } from "./script-file.ts";

test("a script is a list of steps, in YAML or JSON", () => {
  const yaml = `
- say: Hello
- call: { tool: http__get, input: { url: x } }
- say: both
  call:
    - tool: a__b
    - tool: c__d
      input: { n: 1 }
  delayMs: 5
- fail: no more credit
`;
  const steps = [
    { say: "Hello", calls: [], fail: undefined, delayMs: 0 },
    { say: "", calls: [{ tool: "http__get", input: { url: "x" } }], fail: undefined, delayMs: 0 },
    {
      say: "both",
      calls: [
        { tool: "a__b", input: {} },
        { tool: "c__d", input: { n: 1 } },
      ],
      fail: undefined,
      delayMs: 5,
    },
    { say: "", calls: [], fail: "no more credit", delayMs: 0 },
  ];
  expect(parseScript(yaml, "s")).toEqual(steps);
  expect(parseScript(JSON.stringify([{ say: "Hello" }]), "s")).toEqual(steps.slice(0, 1));
  expect(parseScript("", "s")).toEqual([]);
});

test.each([
  ["- say: one\n- sing: two\n", 2, 'the step holds what is not known: "sing"'],
  ["- say: one\n- call:\n    input: {}\n", 3, "call"],
  ["- say: one\n\n\n- say: [1]\n", 4, "say"],
  ["- say: one\n- {}\n", 2, "a step needs"],
  ["- say: one\n- delayMs: -1\n  say: x\n", 2, "delayMs"],
  ["hello: there\n", 1, "it must be a list of steps"],
  ["- say: 'open\n- x\n", 3, ""],
])("the script %j is refused with its line", (text, line, why) => {
  expect(() => parseScript(text, "script.yaml")).toThrow(
    expect.objectContaining({
      code: "SCRIPT_INVALID",
      message: expect.stringContaining(why),
      details: { file: "script.yaml", line },
    }),
  );
});
