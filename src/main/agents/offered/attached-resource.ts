import { createHash } from "node:crypto";
import {
  type Agent,
  isPicture,
  mostAttachmentBytes,
  PatchbayError,
  type StoredAttachment,
} from "../../../contract/index.ts";
import { cleanText } from "../../../contract/shown/clean-text.ts";
import { putIntoWorkspace } from "../../platform/workspace.ts";
import type { ResourceContent } from "../../runtimes/plugin-call.ts";
import type { SessionFiles } from "../../store/index.ts";
import { keepFile, storeAttachments } from "../files/attachments.ts";

/** Most characters of a resource in a message; of a longer one the beginning stands there, and all of it in the workspace. */
const MOST_TEXT = 100_000;
const HEAD = 20_000;

interface Kept {
  stored: StoredAttachment;
  /** What of it stands in the message. */
  text?: string;
}

/**
 * Keeps what was read as an attachment of a message.
 * @throws PatchbayError PAYLOAD_TOO_LARGE, TOOL_FAILED, and what the disk says
 */
export async function keepResource(
  files: SessionFiles,
  agent: Agent,
  root: string,
  { owner, name }: { owner: string; name?: string | undefined },
  content: ResourceContent,
): Promise<Kept> {
  const { uri } = content;
  const called = name ?? nameOf(uri);
  if (!("text" in content)) {
    const { base64: data, mimeType = "application/octet-stream" } = content;
    if (Buffer.byteLength(data, "base64") > mostAttachmentBytes) throw tooLarge(called);
    const [stored] = await storeAttachments(files, agent, root, [{ name: called, mimeType, data }]);
    if (!stored) throw new Error("nothing was stored");
    return { stored: { ...stored, resource: { owner, uri } } };
  }
  const bytes = Buffer.from(content.text);
  if (bytes.length > mostAttachmentBytes) throw tooLarge(called);
  const stored = await keepFile(files, called, typeOf(content), bytes);
  const text = shownOf(content.text);
  if (text.length < cleanText(content.text).length)
    stored.workspacePath = await putIntoWorkspace({ workspace: agent.workspace, root }, "attachments", {
      name: stored.name,
      bytes,
    });
  return {
    stored: { ...stored, resource: { owner, uri, inText: { chars: text.length, seal: sealOf(text) } } },
    text,
  };
}

/** What stands in the message of a resource that is kept. */
export async function keptText(
  files: Pick<SessionFiles, "read">,
  { file, resource }: StoredAttachment,
): Promise<string | undefined> {
  if (!resource?.inText) return undefined;
  const bytes = await files.read(file);
  return bytes && shownOf(bytes.toString());
}

function shownOf(text: string): string {
  const clean = cleanText(text);
  return clean.length <= MOST_TEXT ? clean : clean.slice(0, HEAD).toWellFormed();
}

/** Pages, drawings and scripts are code, which nobody asked for: they are read as plain text, and never shown as what they are. */
function typeOf({ mimeType = "text/plain" }: ResourceContent): string {
  return isPicture({ mimeType }) || /html|svg|xml|script/i.test(mimeType) ? "text/plain" : mimeType;
}

/** Whoever wrote the text cannot know it beforehand. */
function sealOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function nameOf(uri: string): string {
  return (
    uri
      .split(/[/\\?#]/)
      .filter(Boolean)
      .at(-1) ?? "resource"
  );
}

function tooLarge(name: string): PatchbayError {
  return new PatchbayError("PAYLOAD_TOO_LARGE", `${name} is larger than 25 MiB.`);
}
