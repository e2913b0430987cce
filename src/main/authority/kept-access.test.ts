import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { openFileStorage } from "../store/index.ts";
import { KeptAccess } from "./kept-access.ts";
import { Screens } from "./screens.ts";

let home: string;
const clock = new FakeClock();
/** What the next start of the app would read. */
function kept() {
  const access = new KeptAccess(openFileStorage({ home, onNotice() {} }));
  return { access, screens: new Screens(access, clock) };
}
const file = () => join(home, "access.json");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-access-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("port and screens are the same at the next start, in a file for the owner alone and without a token", async () => {
  const { access, screens } = kept();
  const { id, token } = await screens.open("Firefox on Linux");
  await access.keepPort(49_152);
  const next = kept();
  expect(next.access.port).toBe(49_152);
  expect(next.screens.identify(token)).toMatchObject({ screen: { id, name: "Firefox on Linux" } });
  if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test("all screens end on demand; the port stays", async () => {
  const { access, screens } = kept();
  const { token } = await screens.open("Firefox");
  await access.keepPort(49_152);
  await screens.endAll();
  expect(kept().screens.identify(token)).toBeUndefined();
  expect(kept().access.port).toBe(49_152);
});

test("screens that others could read of are not let in again; on Windows the folder's rights are what counts", async () => {
  const { access, screens } = kept();
  const { token } = await screens.open("Firefox");
  await access.keepPort(49_152);
  chmodSync(file(), 0o644);
  expect(kept().screens.identify(token) !== undefined).toBe(process.platform === "win32");
});

test.each([
  ["cut off", '{"port":1,"scr'],
  ["of the version before, with one token for everything", `{"token":"${"a".repeat(43)}","port":1}`],
  ["no port", '{"port":99999,"screens":[]}'],
])("a file that is damaged (%s) lets nobody in", async (_what, text) => {
  writeFileSync(file(), text, { mode: 0o600 });
  expect(kept().screens.list()).toEqual([]);
});

test("a token is good until the one that replaces it was used, and never again after that", async () => {
  const { access, screens } = kept();
  const first = await screens.open("Firefox");
  await access.keepPort(1);
  const second = await screens.renew(first.id);
  expect(screens.identify(first.token)).toHaveProperty("screen");
  expect(screens.identify(second)).toHaveProperty("screen");
  await screens.renew(first.id);
  expect(screens.identify(first.token)).toHaveProperty("outdated");
  expect(screens.identify(second)).toHaveProperty("screen");
});

test("a screen that was not used for thirty days has ended", async () => {
  const { screens } = kept();
  const { token } = await screens.open("Firefox");
  await clock.advance(29 * 86_400_000);
  expect(screens.identify(token)).toHaveProperty("screen");
  await clock.advance(31 * 86_400_000);
  expect(screens.identify(token)).toBeUndefined();
});
