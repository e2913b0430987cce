import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepAccess, readAccess } from "./kept-access.ts";

let home: string;
const file = () => join(home, "access.json");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-access-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("token and port are the same at the next start, in a file for the owner alone", async () => {
  const first = await readAccess(home);
  expect(first).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), port: 0 });
  await keepAccess(home, { ...first, port: 49_152 });
  expect(await readAccess(home)).toEqual({ token: first.token, port: 49_152 });
  if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test("a new token is made on demand; the port stays", async () => {
  await keepAccess(home, { ...(await readAccess(home)), port: 49_152 });
  const before = await readAccess(home);
  const renewed = await readAccess(home, { renew: true });
  expect(renewed.token).not.toBe(before.token);
  expect(renewed.port).toBe(49_152);
});

test("a token that others could read is not used again; on Windows the folder's rights are what counts", async () => {
  await keepAccess(home, { ...(await readAccess(home)), port: 49_152 });
  const { token } = JSON.parse(readFileSync(file(), "utf8"));
  chmodSync(file(), 0o644);
  expect((await readAccess(home)).token === token).toBe(process.platform === "win32");
});

test.each([
  ["cut off", '{"token":"abc'],
  ["too short a token", '{"token":"abc","port":1}'],
  ["no port", `{"token":"${"a".repeat(43)}","port":99999}`],
])("a file that is damaged (%s) is replaced", async (_what, text) => {
  writeFileSync(file(), text, { mode: 0o600 });
  expect((await readAccess(home)).token).toMatch(/^[\w-]{43}$/);
  expect((await readAccess(home)).token).not.toBe("a".repeat(43));
});
