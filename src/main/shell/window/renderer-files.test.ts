import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerFromFolder } from "./renderer-files.ts";

let folder: string;
let root: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-renderer-"));
  root = join(folder, "renderer");
  mkdirSync(join(root, "assets"), { recursive: true });
  writeFileSync(join(root, "index.html"), "<!doctype html><head><title>Patchbay</title></head>");
  writeFileSync(join(root, "assets", "main-1a2b.js"), "export {};");
  writeFileSync(join(root, "assets", "notes.exe"), "MZ");
  writeFileSync(join(folder, "secret.txt"), "not for pages");
  symlinkSync(join(folder, "secret.txt"), join(root, "leak.txt"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = (url: string, init?: RequestInit) => answerFromFolder(root, new Request(url, init));

describe("the renderer's files", () => {
  test("the page is served under the app's own address, with a policy that allows its own files alone", async () => {
    const answer = await ask("app://patchbay/");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe-eval");
    expect(policy).not.toContain("unsafe-inline");
    expect(await answer.text()).toContain("Patchbay");
  });

  test("each load of the page has a nonce of its own for the styles that its components insert", async () => {
    const nonces = [];
    for (const answer of [await ask("app://patchbay/"), await ask("app://patchbay/")]) {
      const nonce = /<head><meta property="csp-nonce" nonce="([^"]{20,})" \/>/.exec(await answer.text())?.[1];
      expect(answer.headers.get("content-security-policy")).toContain(`style-src 'self' 'nonce-${nonce}';`);
      nonces.push(nonce);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test("a script has the type that a browser insists on", async () => {
    const answer = await ask("app://patchbay/assets/main-1a2b.js");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("an address of a screen gets the page", async () => {
    expect(await (await ask("app://patchbay/agents/helper/plugins")).text()).toContain("Patchbay");
  });

  test("HEAD answers without a body", async () => {
    const answer = await ask("app://patchbay/", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  test.each([
    ["a folder above, encoded", "app://patchbay/%2e%2e%2fsecret.txt", 400],
    ["a folder above with backslashes", "app://patchbay/..%5csecret.txt", 400],
    ["a name cut by a null byte", "app://patchbay/index.html%00.txt", 400],
    ["an address that is not encoded correctly", "app://patchbay/%ff.js", 400],
    ["a link that leads out of the folder", "app://patchbay/leak.txt", 403],
    ["a file that is not there", "app://patchbay/assets/other.js", 404],
    ["a type that the renderer does not have", "app://patchbay/assets/notes.exe", 404],
    ["another host", "app://elsewhere/index.html", 404],
  ])("%s is refused", async (_what, url, status) => {
    const answer = await ask(url);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe("");
  });

  test("other methods are refused", async () => {
    expect((await ask("app://patchbay/", { method: "POST", body: "x" })).status).toBe(405);
  });
});
