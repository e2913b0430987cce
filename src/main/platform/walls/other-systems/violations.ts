import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { Attempt } from "../wall.ts";

/**
 * What macOS wrote into its log about something that a sandbox refused, for example
 * `node(4711) deny(1) file-read-data /Users/me/.ssh/id_rsa`; null for what tells nothing about a plugin.
 */
export function attemptOf(line: string): Attempt | null {
  const [, operation = "", rest = ""] = /\bdeny(?:\(\d+\))?\s+(\S+)\s*(.*)$/.exec(line) ?? [];
  const wall = wallOf(operation);
  if (wall === null) return null;
  return { wall, target: cleanLine(rest === "" ? operation : rest), seenBy: "wall" };
}

function wallOf(operation: string): Attempt["wall"] | null {
  // Every program looks whether folders are there on its way to a file.
  if (operation === "file-read-metadata") return null;
  if (operation.startsWith("file-")) return "files";
  if (operation.startsWith("network-") || operation === "system-socket") return "network";
  if (operation === "signal" || operation === "mach-priv-task-port") return "signals";
  if (operation.startsWith("process-exec")) return "programs";
  return null;
}
