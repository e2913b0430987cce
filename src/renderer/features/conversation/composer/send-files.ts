import { type Attached, mostPieceBytes } from "../../../../contract/conversation/attached.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { attachedFiles, attachedResources, notePart } from "../files/attached-files.ts";

interface Place {
  agentId: string;
  sessionId: string;
}

/**
 * Hands a file in for the next message, piece by piece. @param onPart told after each piece how much of it is there, from 0 to 1
 * @throws what the core refuses it with; an AbortError when it was stopped
 */
async function handIn(
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

/** What goes with the message that is being sent; its files are handed in. @throws what the core refuses one with, or that it was stopped */
export async function attachmentsOf(to: Place, signal: AbortSignal): Promise<Attached[]> {
  const place = `${to.agentId}/${to.sessionId}`;
  const attached: Attached[] = [];
  try {
    for (const { id, file } of attachedFiles(place)) {
      const onPart = (part: number) => notePart(place, id, part);
      onPart(0);
      attached.push(await handIn(to, file, { onPart, signal }));
    }
    return [...attached, ...attachedResources(place)];
  } finally {
    for (const { id } of attachedFiles(place)) notePart(place, id, null);
  }
}
