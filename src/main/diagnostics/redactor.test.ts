import { describe, expect, it } from "vitest";
import { Redaction } from "../secrets/redaction/redaction.ts";
import { createRedactor } from "./redactor.ts";

const known = new Redaction();
known.add("hunter2-is-known");
const redact = createRedactor({
  byValue: (text) => known.text(text),
  names: ["WEATHER_API_KEY", "PHONE_CREDENTIALS"],
  homeFolder: "/home/ada",
  userName: "ada",
});

describe("what is handed to a stranger", () => {
  it.each([
    ["a known secret", "it is hunter2-is-known!", "hunter2"],
    ["one in base64 inside of more", `x=${btoa("ada:hunter2-is-known")}`, btoa("ter2-is-kno").slice(2, 12)],
    ["a bearer token", "authorization: Bearer abc.def-123456", "abc.def"],
    ["a JSON web token", "got eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.sig-part here", "eyJ"],
    ["a password in an address", "https://ada:s3cr3t@example.test/x", "s3cr3t"],
    ["a token in a query", "GET /cb?code=abcdef123&state=xyz98765", "abcdef123"],
    ["a provider's key", "sk-proj-abcdefghijklmnop1234", "abcdefghijklmnop"],
    ["a bot's token", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", "AAHdq"],
    ["a forge's token", "ghp_abcdefghijklmnopqrst0123", "ghp_"],
    ["a chat's token", "xoxb-1234-5678-abcdef", "xoxb"],
    ["a value under a speaking name", '{"clientSecret": "plainly-here"}', "plainly"],
    ["one in JSON inside of JSON", '"{\\"password\\":\\"plainly-here\\"}"', "plainly"],
    ["one in an environment", "API_KEY=plainly-here", "plainly"],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "MIIE"],
  ])("has %s taken out", (_name, text, gone) => {
    const shown = redact(text);
    expect(shown).toContain("•••");
    expect(shown).not.toContain(gone);
  });

  it.each([
    "a sentence about tokens and keys: nothing to hide",
    '{"apiKey": "${WEATHER_API_KEY}", "maxTokens": 4000, "secretKeys": [], "token": null}',
    '{"credentials": "PHONE_CREDENTIALS"}',
    '"integrity": "sha512-abcdefghijklmnopqrstuvwxyz0123456789=="',
    "2026-11-22T01:06:15.581Z info  patchbay started in 12 ms",
  ])("keeps what is no secret: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ["/home/ada/notes.txt", "~/notes.txt"],
    ["file:///home/ada/x", "file://~/x"],
    ["/home/adam/x and /home/ada", "~/x and ~"],
    ["/Users/eve/Library", "~/Library"],
    [String.raw`C:\Users\eve\AppData`, String.raw`~\AppData`],
    [String.raw`"C:\\Users\\eve\\AppData"`, String.raw`"~\\AppData"`],
    ["/mnt/disk/ada/patchbay", "/mnt/disk/~/patchbay"],
    ["ada said /tmp/ok", "ada said /tmp/ok"],
  ])("says %s as %s", (text, shown) => {
    expect(redact(text)).toBe(shown);
  });
});
