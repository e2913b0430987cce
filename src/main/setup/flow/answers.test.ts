import { expect, test } from "vitest";
import type { SetupField } from "../../../contract/index.ts";
import { checkedValues } from "./answers.ts";

const fields: SetupField[] = [
  {
    key: "channels",
    label: "Channels",
    type: "choices",
    options: [
      { value: "a", label: "#a" },
      { value: "b", label: "#b" },
    ],
  },
];
const picked = (channels: string) => checkedValues(fields, { kind: "values", values: { channels } });

test("of a list only what it offers is taken", () => {
  expect(picked("b, a")).toEqual({ values: { channels: "b,a" } });
  expect(picked("")).toEqual({ values: {} });
  expect(picked("a,c")).toMatchObject({
    problem: {
      code: "BAD_INPUT",
      details: { fields: [{ path: "channels", message: "Channels has no choice c." }] },
    },
  });
});
