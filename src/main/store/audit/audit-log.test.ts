import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Problem } from "../../../contract/index.ts";
import { openFileStorage } from "../files/file-storage.ts";
import { AuditLog } from "./audit-log.ts";

let folder: string;
let notices: Problem[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-audit-"));
  notices = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the audit log", () => {
  it("has one line an event in the file of the day, without secrets", async () => {
    const redact = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("hunter2", "•••"));
    const onNotice = (problem: Problem) => notices.push(problem);
    const log = new AuditLog({ storage: openFileStorage({ home: folder, onNotice }), redact, onNotice });
    await log.record({ kind: "agent_plugin.enabled", agentId: "a", pluginKey: "http" });
    await log.record({ kind: "tool.called", agentId: "a", input: { password: "hunter2" } });
    const day = new Date().toISOString().slice(0, 10);
    const live = await log.read(day);
    await log.close();
    const lines = readFileSync(join(folder, "audit", `${day}.jsonl`), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(live);
    expect(live[0]).toMatchObject({ kind: "agent_plugin.enabled", agentId: "a", pluginKey: "http" });
    expect(live[1]?.input).toEqual({ password: "•••" });
  });

  it("reports once that it cannot write", async () => {
    writeFileSync(join(folder, "audit"), "in the way");
    const onNotice = (problem: Problem) => notices.push(problem);
    const storage = openFileStorage({ home: folder, onNotice });
    const log = new AuditLog({ storage, redact: (value) => value, onNotice });
    await log.record({ kind: "one" });
    await log.record({ kind: "two" });
    await log.close();
    expect(notices.map(({ code }) => code)).toEqual(["WRITE_FAILED"]);
  });
});
