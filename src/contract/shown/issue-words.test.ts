import { expect, test } from "vitest";
import { z } from "zod";
import { agentInputSchema } from "../agent.ts";
import { issueSentence } from "./issue-words.ts";

const saidOf = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map((issue) => issueSentence({ ...issue }));

test("what is wrong with an agent is said in words, without the path of a field", () => {
  const model = { kind: "openai-compatible", model: "m", baseUrl: "ftp://nowhere" };
  expect(saidOf(agentInputSchema, { name: "", maxSteps: 9_999, model })).toEqual([
    "The name must not be empty.",
    "The address of the model must be an address such as https://example.com/v1 or localhost:11434.",
    "The number of steps must be at most 200.",
  ]);
  expect(saidOf(agentInputSchema, {})).toEqual(["The name is missing."]);
  expect(saidOf(agentInputSchema, { name: "A", id: "Not An Id" })).toEqual([
    "The id must be an agent id: lower-case letters, digits and dashes, at most 64 characters.",
  ]);
  expect(saidOf(agentInputSchema, { name: "A", policy: [{ tool: "x", effect: "perhaps" }] })).toEqual([
    'The effect of entry 1 of the policy must be one of "allow", "ask", "deny".',
  ]);
});

test.each([
  [z.object({ a: z.int() }), { a: 1.5 }],
  [z.object({ a: z.array(z.string()).min(2) }), { a: ["x"] }],
  [z.object({ a: z.union([z.string(), z.object({ b: z.string() })]) }), { a: 1 }],
  [z.strictObject({}), { odd: 1 }],
  [z.object({ a: z.iso.datetime() }), { a: "now" }],
  [z.object({ a: z.string().regex(/x/) }), { a: "y" }],
  [z.object({ a: z.string().startsWith("/") }), { a: "y" }],
  [z.object({}), "text"],
  [z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") })]), { kind: "b" }],
])("no sentence of the library comes through: %#", (schema, value) => {
  const [sentence, ...more] = saidOf(schema as z.ZodType, value);
  expect(more).toEqual([]);
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sentence).not.toMatch(/Invalid|expected (string|number|object|array)|received|undefined/);
});
