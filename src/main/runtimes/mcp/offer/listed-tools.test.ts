import { expect, test } from "vitest";
import type { Trust } from "../../../../contract/index.ts";
import { offeredTools } from "./listed-tools.ts";

const inputSchema = { type: "object", properties: {} };
const raw = [
  { name: "reads", inputSchema, annotations: { readOnlyHint: true } },
  { name: "destroys", inputSchema, annotations: { destructiveHint: true } },
  { name: "both", inputSchema, annotations: { readOnlyHint: true, destructiveHint: true } },
  { name: "silent", inputSchema },
];
const dangers = (trust: Trust | undefined) =>
  Object.fromEntries(
    offeredTools(raw, { key: "p", trust, mirrors: false }).tools.map(({ name, danger, readOnly }) => [
      name,
      `${danger}${readOnly ? ", reads" : ""}`,
    ]),
  );

test.each<Trust | undefined>(["team", "unverified", "local", undefined])(
  "the word of a server with the trust %s makes no tool less dangerous, and may make it more",
  (trust) => {
    expect(dangers(trust)).toEqual({
      p__reads: "unknown",
      p__destroys: "dangerous",
      p__both: "dangerous",
      p__silent: "unknown",
    });
  },
);

test("where a server is vouched for, it may say that a tool only reads", () => {
  expect(dangers("official")).toMatchObject({ p__reads: "safe, reads", p__destroys: "dangerous" });
});
