import { expect, test } from "vitest";
import { isNamedLikeSecret, withoutPrivate } from "./private-names.ts";

test.each([
  "token",
  "API_KEY",
  "apiKey",
  "github-token",
  "userPassword",
  "X-Auth",
  "privateKey",
  "db.secret",
])("%s is named like a secret", (name) => expect(isNamedLikeSecret(name)).toBe(true));

test.each(["key", "author", "keyword", "monkey", "tokenizer", "primary_key", "message", "passenger"])(
  "%s is not",
  (name) => expect(isNamedLikeSecret(name)).toBe(false),
);

test("texts under such names are hidden at any depth, and nothing else", () => {
  const value = {
    url: "u",
    auth: { user: "ada", list: ["x"] },
    max_tokens: 5,
    rows: [{ token: "t" }],
    password: "",
  };
  expect(withoutPrivate(value)).toEqual({
    url: "u",
    auth: { user: "[hidden]", list: ["[hidden]"] },
    max_tokens: 5,
    rows: [{ token: "[hidden]" }],
    password: "",
  });
});
