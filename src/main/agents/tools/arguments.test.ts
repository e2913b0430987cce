import { expect, test } from "vitest";
import { ArgumentChecker } from "./arguments.ts";

const said = (property: object, value: unknown) => {
  const schema = { type: "object", properties: { to: property } };
  try {
    new ArgumentChecker().check("mail.send", schema, { to: value });
    return "nothing";
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  [
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    5,
    "to has none of the forms that are accepted",
  ],
  [{ oneOf: [{ const: "a" }, { const: "b" }] }, "c", "to has none of the forms that are accepted"],
  [{ type: "integer" }, "five", "to must be a whole number"],
  [{ type: "string", minLength: 1 }, "", "to must have at least 1 character"],
  [{ type: "string", format: "email" }, "me", "to must be an e-mail address"],
  [{ not: { type: "string" } }, "x", "to is not accepted"],
])("an argument that does not fit %j is said in words", (property, value, words) => {
  expect(said(property, value)).toBe(`The arguments for mail.send are not right: ${words}.`);
});
