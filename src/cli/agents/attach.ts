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

/** `plugin@scheme:rest`, or an address with its scheme and two slashes. */
const addressed = /^(?:([a-z0-9][a-z0-9-]*)@([A-Za-z][A-Za-z0-9+.-]*:.+)|([A-Za-z][A-Za-z0-9+.-]*:\/\/.+))$/s;

/**
 * What goes with the next message of a conversation: files, which are handed in, and resources of plugins by their address.
 * @throws PatchbayError READ_FAILED, PAYLOAD_TOO_LARGE, NOT_FOUND
 */
export async function attachedFiles(
  { cwd }: Pick<CliContext, "cwd">,
  client: Client,
  place: { agentId: string; sessionId: string },
  paths: readonly string[],
): Promise<Attached[]> {
  const attached: Attached[] = [];
  for (const path of paths) {
    const [, owner, uri = "", listed] = addressed.exec(path) ?? [];
    if (owner !== undefined || listed !== undefined) {
      const resource =
        owner === undefined ? await listedAs(client, place.agentId, listed ?? "") : { owner, uri };
      attached.push({ resource });
      continue;
    }
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

async function listedAs(client: Client, agentId: string, uri: string) {
  const { resources } = await client.resources.find({ agentId, words: uri });
  const [one, ...others] = resources.filter((resource) => resource.uri === uri);
  if (one && others.length === 0) return { owner: one.owner, uri, name: one.name };
  const why = one ? "Several plugins have" : "No plugin of the agent lists";
  throw new PatchbayError("NOT_FOUND", `${why} ${uri}.`, { help: `Name the plugin: PLUGIN@${uri}` });
}
