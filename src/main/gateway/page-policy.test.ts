import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { guardPage } from "./page-policy.ts";

const page = (script: string) => `<!doctype html><head><script>${script}</script></head><body></body>`;

test("a script that stands in the built page is admitted by the hash of its text, and by nothing else", () => {
  const text = "call();";
  const { policy } = guardPage(page(text));
  const hash = createHash("sha256").update(text).digest("base64");
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policy).not.toContain("unsafe-inline");
  expect(/script-src[^;]*nonce-/.test(policy)).toBe(false);
});

test("each load of the page gets a nonce of its own, which admits styles and no script", () => {
  const nonceOf = ({ html }: { html: string }) => /nonce="([^"]+)"/.exec(html)?.[1];
  const [first, second] = [guardPage(page("a")), guardPage(page("a"))];
  expect(nonceOf(first)).not.toBe(nonceOf(second));
  expect(first.policy).toContain(`style-src 'self' 'nonce-${nonceOf(first)}'`);
});
