import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The lines of a conversation's record as they lie in a home. */
export async function readRecordLines(home: string, agentId: string, sessionId: string): Promise<string[]> {
  const file = join(home, "agents", agentId, "sessions", `${sessionId}.record.jsonl`);
  return (await readFile(file, "utf8")).trim().split("\n");
}
