import { type Attached, mostPieceBytes } from "../../../../contract/conversation/attached.ts";
import { rpc } from "../../../base/client/rpc.ts";

interface Place {
  agentId: string;
  sessionId: string;
}

/**
 * Hands a file in for the next message, piece by piece. @param onPart told after each piece how much of it is there, from 0 to 1
 * @throws what the core refuses it with; an AbortError when it was stopped
 */
export async function handIn(
  place: Place,
  file: File,
  { onPart, signal }: { onPart(part: number): void; signal: AbortSignal },
): Promise<Attached> {
  const { name, size: bytes } = file;
  const mimeType = file.type || "application/octet-stream";
  let goesOn: { id: string; at: number } | undefined;
  let at = 0;
  do {
    signal.throwIfAborted();
    const piece = new File([file.slice(at, at + mostPieceBytes)], name, { type: mimeType });
    const { id, received } = await rpc.sessions.attach({ ...place, name, mimeType, bytes, piece, goesOn });
    at = received;
    goesOn = { id, at };
    onPart(bytes === 0 ? 1 : received / bytes);
  } while (at < bytes);
  return { upload: goesOn.id };
}
