import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFileStorage } from "../store/index.ts";
import { type Access, KeptAccess } from "./kept-access.ts";

let home: string;
/** The access as the next start of the app would read it. */
const kept = () => new KeptAccess(openFileStorage({ home, onNotice() {} }));
const keep = (access: Access) => kept().keep(access);
const file = () => join(home, "access.json");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-access-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("token and port are the same at the next start, in a file for the owner alone", async () => {
  const first = kept().read();
  expect(first).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), port: 0 });
  await keep({ ...first, port: 49_152 });
  expect(kept().read()).toEqual({ token: first.token, port: 49_152 });
  if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test("a new token is made on demand; the port stays", async () => {
  await keep({ ...kept().read(), port: 49_152 });
  const before = kept().read();
  const renewed = kept().read({ renew: true });
  expect(renewed.token).not.toBe(before.token);
  expect(renewed.port).toBe(49_152);
});

test("a token that others could read is not used again; on Windows the folder's rights are what counts", async () => {
  await keep({ ...kept().read(), port: 49_152 });
  const { token } = JSON.parse(readFileSync(file(), "utf8"));
  chmodSync(file(), 0o644);
  expect(kept().read().token === token).toBe(process.platform === "win32");
});

test.each([
  ["cut off", '{"token":"abc'],
  ["too short a token", '{"token":"abc","port":1}'],
  ["no port", `{"token":"${"a".repeat(43)}","port":99999}`],
])("a file that is damaged (%s) is replaced", async (_what, text) => {
  writeFileSync(file(), text, { mode: 0o600 });
  expect(kept().read().token).toMatch(/^[\w-]{43}$/);
  expect(kept().read().token).not.toBe("a".repeat(43));
});
