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

test("one of a list, a switch and a number are what their fields take", () => {
  const asked: SetupField[] = [
    { key: "region", label: "Region", type: "choice", options: [{ value: "eu,west", label: "Europe" }] },
    { key: "loud", label: "Loud", type: "switch" },
    { key: "most", label: "Most", type: "number", min: 1, max: 50 },
  ];
  const check = (values: Record<string, string>) => checkedValues(asked, { kind: "values", values });
  expect(check({ region: "eu,west", loud: "false", most: "50" })).toEqual({
    values: { region: "eu,west", loud: "false", most: 50 },
  });
  expect(check({ region: "eu", loud: "yes", most: "51" })).toMatchObject({
    problem: {
      details: {
        fields: [
          { path: "region", message: "Region has no choice eu." },
          { path: "loud", message: "Loud is true or false." },
          { path: "most", message: "Most must be 50 or less." },
        ],
      },
    },
  });
  expect(check({ most: "0" })).toMatchObject({ problem: { message: "Most must be 1 or more." } });
});

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
