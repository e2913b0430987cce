import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Problem, Session } from "../../contract/index.ts";
import { RemovedRows } from "../registry/index.ts";
import { openFileStorage, type Signer } from "../store/index.ts";
import { Removed, type RemovedOptions } from "./removed.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const removedAt = Date.parse("2026-03-01T10:00:00.000Z");
const signOf = (text: string) => createHash("sha256").update(text).digest("base64url");
const signer: Signer = { mode: "on", sign: signOf, fits: (text, mark) => signOf(text) === mark };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-kept-for-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** What a start of the app finds that many days after the removal. */
async function start(days: number) {
  const notices: Problem[] = [];
  const onNotice = (problem: Problem) => void notices.push(problem);
  const clock = { now: () => removedAt + days * dayMs, ticks: () => 0, after: () => () => {} };
  const storage = openFileStorage({ home, onNotice });
  const rows = new RemovedRows({ storage, signer, onNotice, clock });
  const none = () => undefined;
  const removed = new Removed({
    storage,
    rows,
    clock,
    onNotice,
    registry: { get: none, changes: new EventEmitter() },
    agents: { get: none, list: () => [], changes: new EventEmitter() },
    agentPlugins: { get: none },
    vault: { list: () => [], redact: (text: string) => text },
    audit: { record: async () => {} },
  } as unknown as RemovedOptions);
  await removed.recover();
  const close = async () => {
    await removed.close();
    await rows.close();
  };
  return { removed, rows, notices, close };
}

/** A conversation that was removed; the folder that it is kept in. */
async function removeConversation(): Promise<string> {
  const { rows, close } = await start(0);
  const { room } = await rows.keepSession({ agentId: "ada", id: "talk", title: "The talk" } as Session);
  const folder = join(home, "removed", room);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "talk.jsonl"), "{}\n");
  await close();
  return folder;
}

test("is kept for thirty days, and deleted for good after that", async () => {
  const folder = await removeConversation();
  const before = await start(29.9);
  expect(before.removed.list()).toMatchObject([{ name: "The talk", until: "2026-03-31T10:00:00.000Z" }]);
  expect(existsSync(folder)).toBe(true);
  await before.close();
  const after = await start(30.1);
  expect(after.removed.list()).toEqual([]);
  expect(existsSync(folder)).toBe(false);
  expect(after.notices).toEqual([]);
  await after.close();
});

test("nothing is deleted by its age while the list was changed by somebody else", async () => {
  const folder = await removeConversation();
  const file = join(home, "removed.json");
  const text = await readFile(file, "utf8");
  const [row] = JSON.parse(text).data.things as { id: string }[];
  const more = { ...row, id: "another" };
  await writeFile(
    file,
    text.replace(/"things":\s*\[/, (begin) => `${begin}${JSON.stringify(more)},`),
  );
  const { removed, notices, close } = await start(40);
  expect(notices.map(({ code }) => code)).toEqual(["STATE_TAMPERED"]);
  expect(removed.list().map(({ kind }) => kind)).toEqual(["file", "session"]);
  expect(existsSync(folder)).toBe(true);
  await close();
});
