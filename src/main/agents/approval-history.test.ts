import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Approval, Problem } from "../../contract/index.ts";
import { openFileStorage } from "../store/index.ts";
import { ApprovalHistory } from "./approval-history.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-history-"));
  mkdirSync(join(home, "agents", "helper"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => {
  const onNotice = (problem: Problem) => {
    throw new Error(problem.message);
  };
  return new ApprovalHistory({ storage: openFileStorage({ home, onNotice }), onNotice });
};

function decided(number: number, agentId = "helper"): Approval {
  const at = new Date(number * 1_000).toISOString();
  return {
    id: String(number),
    agentId,
    sessionId: "s",
    turnId: null,
    toolCallId: "c",
    tool: "shell",
    title: "shell",
    owner: null,
    arguments: { command: "ls" },
    changedBy: [],
    caller: { kind: "owner" },
    shortId: "1234",
    decidedBy: { kind: "owner" },
    status: "allowed",
    scope: "once",
    reason: null,
    createdAt: at,
    expiresAt: at,
    decidedAt: at,
  };
}

test("the newest five hundred are read again after a restart, newest first", async () => {
  const first = open();
  for (let number = 1; number <= 510; number += 1) await first.add(decided(number));
  await first.close();
  const second = open();
  const read = await second.read("helper");
  await second.close();
  expect([read.length, read[0]?.id, read.at(-1)?.id]).toEqual([500, "510", "11"]);
});

test("what an older version wrote down names the tool as it is called on the wire", async () => {
  const { title: _title, ...older } = { ...decided(1), tool: "desk__open__drawer" };
  const file = join(home, "agents", "helper", "approvals.jsonl");
  writeFileSync(file, `${JSON.stringify(older)}\n`);
  const history = open();
  expect(await history.read("helper")).toMatchObject([{ id: "1", title: "desk__open__drawer" }]);
  await history.close();
});

test("an agent that is gone gets no folder back", async () => {
  const history = open();
  await history.add(decided(1, "removed"));
  expect(await history.read("removed")).toEqual([]);
  await history.close();
  expect(existsSync(join(home, "agents", "removed"))).toBe(false);
});
