import type { SessionEntry } from "../../../../contract/index.ts";
import type { Clock } from "../../../base/clock.ts";
import type { SessionFiles } from "../../../store/index.ts";
import type { SecretLookup } from "../../ports.ts";
import { RecordWriter } from "../../record/record-writer.ts";
import { LiveSession } from "../../sessions/session.ts";
import { summarise } from "../../sessions/summary.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

/** What a turn met of its conversation. */
export interface ReplayedSession {
  /** The lines of the session's file; those before the turn are its history. */
  entries: readonly SessionEntry[];
  /** The files of the session, for the pictures of the history. */
  files: Pick<SessionFiles, "read">;
}

/** The record of a turn, with its large parts by their addresses. */
export interface KeptLines {
  lines: string[];
  blobs: Map<string, string>;
}

/** The session as it was before the turn, in memory only; its record goes to `kept`, if it is wanted. */
export function sessionBefore(
  turn: RecordedTurn,
  input: ReplayedSession,
  services: { clock: Clock; secrets: SecretLookup; kept?: KeptLines },
): { session: LiveSession; writer: RecordWriter } {
  const { clock, secrets, kept } = services;
  const entries = input.entries.slice(0, turn.world.entries);
  const { sessionId: id, agentId } = turn.begun;
  const at = new Date(turn.begun.at).toISOString();
  const head: SessionEntry = { type: "session", id, agentId, title: "", source: { kind: "owner" }, at, v: 1 };
  const summary = summarise(entries) ?? summarise([head]);
  if (!summary) throw new Error("a session without a head");
  const writer = new RecordWriter({
    files: {
      append: async (...written) => void kept?.lines.push(...written.map((line) => JSON.stringify(line))),
      putBlobs: async (blobs) => {
        for (const [address, text] of blobs) kept?.blobs.set(address, text);
        return { dropped: [], bytes: 0 };
      },
    },
    secrets,
    clock,
  });
  const files: SessionFiles = { read: (name) => input.files.read(name), add: async (name) => name };
  const session = new LiveSession({
    session: summary,
    entries: [...entries],
    file: { append: async () => {}, close: async () => {} },
    record: {
      writer,
      readTraces: async () => [],
      readEvents: async () => [],
      getBlob: async () => undefined,
      close: async () => {},
    },
    files,
    uploads: files,
    clock,
    secrets,
    changed() {},
  });
  return { session, writer };
}
