import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { type Attached, mostPieceBytes, PatchbayError } from "../../contract/index.ts";
import type { CliContext, Client } from "../context.ts";

/** Types that providers take as pictures; any other file is handed on as it is. */
const types: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".csv": "text/csv",
  ".json": "application/json",
  ".pdf": "application/pdf",
};

/** Hands files in for the next message of a conversation. @throws PatchbayError READ_FAILED, PAYLOAD_TOO_LARGE */
export async function attachedFiles(
  { cwd }: Pick<CliContext, "cwd">,
  client: Client,
  place: { agentId: string; sessionId: string },
  paths: readonly string[],
): Promise<Attached[]> {
  const attached: Attached[] = [];
  for (const path of paths) {
    const content = await readFile(resolve(cwd, path)).catch((cause: unknown) => {
      throw new PatchbayError("READ_FAILED", `${path} could not be read.`, { cause });
    });
    const name = basename(path);
    const mimeType = types[extname(path).toLowerCase()] ?? "application/octet-stream";
    let goesOn: { id: string; at: number } | undefined;
    let at = 0;
    do {
      const piece = new File([content.subarray(at, at + mostPieceBytes)], name, { type: mimeType });
      const file = { ...place, name, mimeType, bytes: content.length, piece, ...(goesOn && { goesOn }) };
      const { id, received } = await client.sessions.attach(file);
      at = received;
      goesOn = { id, at };
    } while (at < content.length);
    attached.push({ upload: goesOn.id });
  }
  return attached;
}
