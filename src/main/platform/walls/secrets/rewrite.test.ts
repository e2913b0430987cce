import { expect, test } from "vitest";
import type { PutInSecret } from "../wall.ts";
import { CannotPutIn, isFor, otherHostOf, rewritten } from "./rewrite.ts";

const holder = "pb-secret-0123456789abcdef01234567";
const secret = (value: string | undefined): PutInSecret => ({
  placeholder: holder,
  hosts: ["api.example.com"],
  value: () => value,
});
const asked = (url: string, rawHeaders: string[] = [], method = "GET") => ({ url, rawHeaders, method });
const api = { host: "api.example.com", port: 443 };

test("a declared host is that host alone, with the port of HTTPS unless it names one", () => {
  expect(isFor("api.example.com", api)).toBe(true);
  expect(isFor("api.example.com", { ...api, port: 80 })).toBe(false);
  expect(isFor("api.example.com", { ...api, host: "x.api.example.com" })).toBe(false);
  expect(isFor("api.example.com:8443", { ...api, port: 8443 })).toBe(true);
  expect(isFor("[::1]:8443", { host: "::1", port: 8443 })).toBe(true);
});

test("a request is for the connected host when its one Host and its address say so", () => {
  const other = (...headers: string[]) => otherHostOf(asked("/", headers), api);
  expect(other("Host", "api.example.com")).toBeNull();
  expect(other("host", "API.example.com:443")).toBeNull();
  expect(other("Host", "evil.example")).toBe("evil.example");
  expect(other("Host", "api.example.com:8443")).toBe("api.example.com:8443");
  expect(other("Host", "api.example.com", "HOST", "evil.example")).toBe("more than one host, or none");
  expect(other()).toBe("more than one host, or none");
  const absolute = asked("http://evil.example/", ["Host", "api.example.com"]);
  expect(otherHostOf(absolute, api)).toBe("http://evil.example/");
});

test("the value takes the place of the placeholder in headers, credentials, path and query", () => {
  const basic = (password: string) => `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
  const request = asked(`/bot${holder}/x?key=${holder}`, [
    "Authorization",
    basic(holder),
    "X-Key",
    `k=${holder}`,
    "Connection",
    "keep-alive",
    "Accept-Encoding",
    "gzip",
  ]);
  const { target, headers } = rewritten(request, [secret("1:a/b&c")]);
  expect(target).toBe("/bot1:a%2Fb&c/x?key=1%3Aa%2Fb%26c");
  expect(headers).toEqual([
    "Authorization",
    basic("1:a/b&c"),
    "X-Key",
    "k=1:a/b&c",
    "Accept-Encoding",
    "identity",
  ]);
});

test("the names of headers and what holds no placeholder stay as they are", () => {
  const { target, headers } = rewritten(asked("/?a=b", [holder, "1", "X", "$&"]), [secret("value")]);
  expect([target, ...headers]).toEqual(["/?a=b", holder, "1", "X", "$&", "Accept-Encoding", "identity"]);
});

test("a value that would end a header, and one that is gone, are not put in", () => {
  const request = asked("/", ["X-Key", holder]);
  expect(() => rewritten(request, [secret("a\r\nHost: evil.example")])).toThrow(CannotPutIn);
  expect(() => rewritten(request, [secret(undefined)])).toThrow(CannotPutIn);
});

test("a request without a body that could have one says so", () => {
  expect(rewritten(asked("/", [], "POST"), []).headers).toContain("Content-Length");
  expect(rewritten(asked("/", ["Content-Length", "3"], "POST"), []).headers).not.toContain("0");
});

test("an answer must not give a value back, also to a request that did not hold it", () => {
  expect(rewritten(asked("/"), [secret('a"b/c')]).hidden).toEqual(['a"b/c', "a%22b%2Fc", 'a\\"b/c']);
});
