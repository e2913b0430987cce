import { expect, test } from "vitest";
import { completedAddress, isModelAddress } from "./address.ts";

test.each([
  ["localhost:11434", "http://localhost:11434/v1"],
  [" 127.0.0.1:1234 ", "http://127.0.0.1:1234/v1"],
  ["[::1]:8080", "http://[::1]:8080/v1"],
  ["box.lan/api/", "http://box.lan/api"],
  ["192.168.1.9:8000/v1/", "http://192.168.1.9:8000/v1"],
  ["api.example.com", "https://api.example.com"],
  ["api.example.com/v1", "https://api.example.com/v1"],
  ["//api.example.com/v1", "https://api.example.com/v1"],
  ["http://api.example.com/v1/", "http://api.example.com/v1"],
  ["https://localhost:1", "https://localhost:1"],
])("%j is completed to %j", (typed, whole) => {
  expect(completedAddress(typed)).toBe(whole);
  expect(completedAddress(whole)).toBe(whole);
  expect(isModelAddress(whole)).toBe(true);
});

test.each(["", "http://", "http://[", "ftp://nowhere", "two words", "http://two words"])(
  "%j is no address",
  (typed) => expect(isModelAddress(completedAddress(typed))).toBe(false),
);
