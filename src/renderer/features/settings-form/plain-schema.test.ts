import { beforeAll, expect, test } from "vitest";
import { startI18n } from "../../base/i18n/index.ts";
import { limitsOf, patternWords } from "./values/limits.ts";
import { plainSchema, withoutLeftOut } from "./values/plain-schema.ts";
import { findErrors } from "./values/validator.ts";

beforeAll(() => startI18n("en"));

test("a choice without a kind gets the kind of its values", () => {
  expect(plainSchema({ oneOf: [{ const: "a" }, { const: "b" }] })).toMatchObject({ type: "string" });
  expect(plainSchema({ enum: [1, 2] })).toMatchObject({ type: "integer" });
});

test("this or null is the thing itself, which may be empty", () => {
  const schema = { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }], title: "Nick" };
  expect(plainSchema(schema)).toEqual({ type: ["string", "null"], maxLength: 3, title: "Nick" });
  expect(plainSchema({ properties: { nick: schema }, required: ["nick"] })).toMatchObject({
    properties: { nick: { default: null } },
  });
});

const branch = (kind: string, field: string) => ({
  type: "object",
  required: ["kind", field],
  properties: { kind: { const: kind }, [field]: { type: "string", minLength: 1 } },
});
const login = { oneOf: [branch("name", "user"), branch("file", "path")] };

test("a choice that is not required may be left out, and what was left out is not saved", () => {
  const schema = plainSchema({ type: "object", properties: { login } }) as Parameters<typeof findErrors>[0];
  expect(findErrors(schema, {})).toEqual([]);
  expect(findErrors(schema, { login: null })).toEqual([]);
  expect(withoutLeftOut(schema, { login: null, other: null })).toEqual({ other: null });
  expect(withoutLeftOut(schema, { login: { path: "/a" } })).toEqual({ login: { kind: "file", path: "/a" } });
});

test("what is wrong is said of the possibility that was chosen, and never of its hidden constant", () => {
  const schema = { type: "object", properties: { login } } as Parameters<typeof findErrors>[0];
  expect(findErrors(schema, { login: { kind: "file" } })).toMatchObject([
    { path: ["login", "path"], message: "Fill this in.", missing: true },
  ]);
  expect(findErrors(schema, { login: { kind: "neither" } })).toEqual([
    { path: ["login"], message: "This fits none of the choices." },
  ]);
});

test("a pattern is said in words or by an example, and never shown", () => {
  expect(patternWords({ pattern: "^[a-z0-9-]+$" })).toBe("Only small letters, digits, -.");
  expect(patternWords({ pattern: "^[A-Z]{2}-\\d$", examples: ["AB-1"] })).toBe(
    "This does not have the form that is wanted. For example AB-1",
  );
  expect(patternWords({ pattern: "^(a|b)$" })).toBe("This does not have the form that is wanted.");
});

test("limits are said before anything is typed", () => {
  expect(limitsOf({ type: "integer", minimum: 1, maximum: 9 })).toBe("From 1 to 9.");
  expect(limitsOf({ type: "string", maxLength: 20 })).toBe("At most 20 characters.");
  expect(limitsOf({ type: "string", minLength: 1 })).toBeNull();
});

test("an entry that is still empty is to be filled in", () => {
  const schema = {
    type: "object",
    properties: { words: { type: "array", items: { type: "string" } } },
  } as const;
  expect(findErrors(schema, { words: [undefined] })).toMatchObject([{ message: "Fill this in." }]);
});
