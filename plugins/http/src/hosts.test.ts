import { describe, expect, it } from "vitest";
import { findRule, parseHostRule } from "./hosts.ts";

const allows = (rule: string, address: string) =>
  findRule([parseHostRule(rule)], new URL(address)) !== undefined;

describe("an allowed host", () => {
  it.each([
    ["example.com", "http://example.com/"],
    ["example.com", "https://EXAMPLE.com:8443/x"],
    ["Example.COM", "https://example.com"],
    ["example.com", "https://example.com./"],
    ["example.com.", "https://example.com/"],
    ["*.example.com", "https://a.b.example.com"],
    ["example.com:8080", "http://example.com:8080"],
    ["example.com:443", "https://example.com"],
    ["example.com:80", "http://example.com"],
    ["*.example.com:8080", "http://a.example.com:8080"],
    ["bücher.example", "https://xn--bcher-kva.example"],
    ["127.0.0.1", "http://2130706433/"],
    ["::1", "http://[::1]:3000/"],
    ["[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000/"],
    ["localhost:3000", "http://localhost:3000"],
  ])("%s covers %s", (rule, address) => {
    expect(allows(rule, address)).toBe(true);
  });

  it.each([
    ["example.com", "https://www.example.com"],
    ["example.com", "https://example.com.evil.test"],
    ["example.com", "https://notexample.com"],
    ["*.example.com", "https://example.com"],
    ["*.example.com", "https://evilexample.com"],
    ["example.com:8080", "http://example.com"],
    ["example.com:80", "https://example.com"],
    ["[::1]:3000", "http://[::1]:3001"],
    ["127.0.0.1", "http://127.0.0.2"],
  ])("%s does not cover %s", (rule, address) => {
    expect(allows(rule, address)).toBe(false);
  });

  it.each([
    "",
    "  ",
    "*",
    "*.*",
    "a.*.b",
    "https://example.com",
    "example.com/path",
    "me@example.com",
    "example.com:x",
    "ex ample",
    "example.com:99999",
    "[::1",
  ])("cannot be %j", (rule) => {
    expect(() => parseHostRule(rule)).toThrow(/Write /);
  });
});
