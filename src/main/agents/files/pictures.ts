import type { ImageContent } from "@earendil-works/pi-ai";
import { isPicture, type SessionEntry } from "../../../contract/index.ts";
import type { SessionFiles } from "../../store/index.ts";

/** Pictures of messages, by the id of their entry. */
export type Pictures = Map<string, ImageContent[]>;

/** Only the pictures of this many newest messages are sent to the model; older ones are named in the text. */
const MESSAGES_WITH_PICTURES = 4;

/** The newest pictures of a conversation, by the id of the message that they came with. A file that is gone is left out. */
export async function loadPictures(
  files: Pick<SessionFiles, "read">,
  entries: readonly SessionEntry[],
): Promise<Pictures> {
  const pictures: Pictures = new Map();
  for (const entry of entries.toReversed()) {
    if (pictures.size === MESSAGES_WITH_PICTURES) break;
    if ((entry.type !== "user" && entry.type !== "heard") || !entry.attachments) continue;
    const shown = entry.attachments.filter((one) => one.workspacePath === undefined && isPicture(one));
    const loaded = await Promise.all(
      shown.map(async ({ file, mimeType }) => {
        const bytes = await files.read(file).catch(() => undefined);
        return bytes ? [{ type: "image" as const, data: bytes.toString("base64"), mimeType }] : [];
      }),
    );
    if (loaded.flat().length > 0) pictures.set(entry.id, loaded.flat());
  }
  return pictures;
}
