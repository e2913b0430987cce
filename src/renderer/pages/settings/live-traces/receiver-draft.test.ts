import { expect, test } from "vitest";
import { addressOf, draftOf, isAddress, settingsOf } from "./receiver-draft.ts";

test("an address without a scheme is completed, this computer's without encryption", () => {
  expect(addressOf("localhost:4318")).toBe("http://localhost:4318");
  expect(addressOf(" otel.example.com ")).toBe("https://otel.example.com");
  expect(addressOf("http://otel.example.com")).toBe("http://otel.example.com");
  expect([isAddress("ftp://a"), isAddress(""), isAddress("a:b c"), isAddress("::")]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("what the form writes it reads again, and headers of others stay", () => {
  const before = { endpoint: "https://a", headers: { "x-team": "blue" }, contents: false };
  const saved = settingsOf(
    { address: "https://b", header: "Authorization", secret: "KEY", contents: true },
    before,
  );
  expect(saved).toEqual({
    endpoint: "https://b",
    headers: { "x-team": "blue", Authorization: "Bearer ${KEY}" },
    contents: true,
  });
  expect(draftOf(saved)).toEqual({
    address: "https://b",
    header: "Authorization",
    secret: "KEY",
    contents: true,
  });
  expect(settingsOf({ ...draftOf(saved), secret: "" }, saved).headers).toEqual({ "x-team": "blue" });
  expect(settingsOf({ ...draftOf(saved), header: "x-key" }, saved).headers).toEqual({
    "x-team": "blue",
    "x-key": "${KEY}",
  });
});
