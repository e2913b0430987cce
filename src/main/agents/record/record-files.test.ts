import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RecordEvent } from "../../../contract/index.ts";
import { systemClock } from "../../base/clock.ts";
import { openFileStorage } from "../../store/index.ts";
import { SessionRecordFiles } from "./record-files.ts";
import { RecordWriter } from "./record-writer.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-record-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const secrets = { redact: (text: string) => text.replaceAll("hunter2", "•••") };

function begun(turnId: string, text: string): RecordEvent {
  const place = { turnId, seq: 0, spanId: "0", parentId: null, at: 1 };
  const about = { v: 1 as const, sessionId: "s", agentId: "a", text, caller: { kind: "owner" as const } };
  return { type: "turn_begun", ...place, ...about, world: {} };
}

function open(mostBytes?: number) {
  const files = new SessionRecordFiles({
    storage: openFileStorage({ home: folder, onNotice() {} }),
    agentId: "a",
    sessionId: "s",
    clock: systemClock,
    ...(mostBytes !== undefined && { mostBytes }),
  });
  return { files, writer: new RecordWriter({ files, secrets, clock: systemClock }) };
}

test("a full record begins anew with a turn, keeps the older half, and says what it dropped", async () => {
  const { files, writer } = open(400);
  for (const turn of ["1", "2", "3", "4", "5"]) {
    writer.add(begun(turn, "x".repeat(300)));
    await writer.flush();
  }
  expect((await files.readAll()).map(({ turnId }) => turnId)).toEqual(["4", "5"]);
  await files.close();
  const text = await readFile(join(folder, "agents", "a", "sessions", "s.record.jsonl"), "utf8");
  expect(text.split("\n")[0]).toContain("turns_dropped");
});

test("stored secrets are in no line and in no blob", async () => {
  const { files, writer } = open();
  writer.add({
    ...begun("1", "the word is hunter2"),
    world: { long: `${"so it is ".repeat(200)}hunter2` },
  } as RecordEvent);
  await writer.flush();
  const [event] = await files.readAll();
  await files.close();
  const blob = event?.type === "turn_begun" ? (event.world as { long: { $blob: string } }).long.$blob : "";
  expect(await files.getBlob(blob)).toContain("•••");
  expect(JSON.stringify(event)).toContain("the word is •••");
});

test("how long a line is counts in bytes: large payloads in any script lie in blobs", async () => {
  const { files, writer } = open();
  const place = { turnId: "1", spanId: "1", parentId: "0", at: 1 };
  const hook = { event: "model.before@v1", owner: "p", hookId: "p:1" };
  for (const [seq, letter] of ["x", "語"].entries())
    writer.add({ type: "hook_asked", ...place, seq, ...hook, payload: { text: letter.repeat(12_000) } });
  await writer.flush();
  const [latin, chinese] = await files.readAll();
  await files.close();
  expect(latin).toMatchObject({ payload: { text: "x".repeat(12_000) } });
  expect(chinese).toMatchObject({ payload: { text: { $blob: expect.any(String) } } });
});

test("who wants one turn has only its lines parsed", async () => {
  const { files, writer } = open();
  for (const turn of ["1", "2", "3"]) writer.add(begun(turn, "so it is"));
  await writer.flush();
  const seen: string[] = [];
  const found = await files.readAll((json) => {
    seen.push(json);
    return json.includes('"turnId":"2"');
  });
  await files.close();
  expect(found.map(({ turnId }) => turnId)).toEqual(["2"]);
  expect(seen).toHaveLength(3);
});
