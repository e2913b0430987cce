import type { Session } from "../../../../contract/turn.ts";
import { download } from "../../../base/client/download.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";

/** Where an exported conversation is now. */
export type Exported = { path: string } | { name: string };

/** Writes a conversation to a file the way this shell does. @throws what the core or the disk says */
export async function exportSession(
  { agentId, id: sessionId }: Session,
  format: "markdown" | "json",
): Promise<Exported> {
  if (useMirror.getState().info?.shell === "desktop")
    return rpc.sessions.save({ agentId, sessionId, format });
  const file = await rpc.sessions.export({ agentId, sessionId, format });
  download(file, file.name);
  return { name: file.name };
}
