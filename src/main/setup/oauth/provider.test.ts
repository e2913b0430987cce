import { expect, test } from "vitest";
import { grantOf, type Provider } from "./provider.ts";

const provider: Provider = {
  name: "as.example",
  server: { issuer: "https://as.example", token_endpoint: "https://as.example/token" },
  client: { client_id: "c" },
  auth: () => {},
};

test.each([
  ["are those that were asked for, where the answer names none", undefined, "read write"],
  ["are those of the answer, where it names fewer", "read", "read"],
])("the rights of a sign-in %s", (_name, scope, expected) => {
  const answer = { access_token: "t", token_type: "bearer" as const, ...(scope && { scope }) };
  expect(grantOf(answer, provider, { scopes: ["read", "write"] }, 0).scope).toBe(expected);
});
