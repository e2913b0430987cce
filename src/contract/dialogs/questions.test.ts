import { expect, test } from "vitest";
import { type DialogQuestion, dialogAnswerSchema, dialogQuestionSchema } from "./dialog.ts";
import { addressParts, isPageAddress } from "./page-address.ts";
import { asksForSecret, isSecretAnswer } from "./secret-fields.ts";

const form = (name: string, title = name, message = "Please"): DialogQuestion => ({
  kind: "form",
  message,
  fields: [{ type: "text", name, title, required: true }],
});

test.each([
  ["apiKey", "Account", true],
  ["API_KEY", "Account", true],
  ["value", "Ihr Passwort", true],
  ["accesstoken", "Account", true],
  ["value", "Pa\uFF53\uFF53word", true],
  ["pin", "Your PIN", true],
  ["keyboard", "Keyboard layout", false],
  ["shipping", "Shipping address", false],
  ["monkey", "Tokenizer", false],
])("a field %s called “%s” asks for a secret: %s", (name, title, is) => {
  expect(asksForSecret(form(name, title))).toBe(is);
});

test("a sentence that asks for one counts where there is something to fill in", () => {
  expect(asksForSecret(form("value", "Value", "Type your password."))).toBe(true);
  expect(asksForSecret({ kind: "form", message: "Change your password?", fields: [] })).toBe(false);
});

test("what is answered to such a form is kept nowhere; that it was declined is", () => {
  const answer = { action: "accept", values: { token: "t" } } as const;
  expect(isSecretAnswer(form("token"), answer)).toBe(true);
  expect(isSecretAnswer(form("token"), { action: "decline" })).toBe(false);
  expect(isSecretAnswer(form("city"), answer)).toBe(false);
});

test.each([
  ["https://example.com/a?b#c", true],
  ["http://127.0.0.1:3000/", true],
  ["http://localhost/", true],
  ["http://[::1]:8/", true],
  ["http://example.com/", false],
  ["http://localhost.example.com/", false],
  ["javascript:alert(1)", false],
  ["file:///etc/passwd", false],
  ["data:text/html,x", false],
  ["https://bank.example@evil.example/", false],
  ["nothing", false],
  [`https://example.com/${"x".repeat(4_000)}`, false],
])("%s may be put before a person: %s", (url, is) => {
  expect(isPageAddress(url)).toBe(is);
  expect(dialogQuestionSchema.safeParse({ kind: "link", message: "?", url }).success).toBe(is);
});

test("an address is shown by its parts, and letters of other scripts are told", () => {
  expect(addressParts("https://еxample.com:8443/a?b")).toEqual({
    before: "https://",
    host: "xn--xample-2of.com:8443",
    after: "/a?b",
    disguised: true,
  });
  expect(addressParts("https://example.com").disguised).toBe(false);
});

test("a form has at most a hundred fields, each with a name of its own", () => {
  const fields = (count: number, name: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({
      type: "boolean",
      name: name(index),
      title: "",
      required: false,
    }));
  const fits = (list: unknown) =>
    dialogQuestionSchema.safeParse({ kind: "form", message: "?", fields: list }).success;
  expect(fits(fields(100, String))).toBe(true);
  expect(fits(fields(101, String))).toBe(false);
  expect(fits(fields(2, () => "same"))).toBe(false);
});

test("an agreement without values has none", () => {
  expect(dialogAnswerSchema.parse({ action: "accept" })).toEqual({ action: "accept", values: {} });
});
