import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import { z } from "zod";
import { mostAttachmentBytes, PatchbayError } from "../../../contract/index.ts";
import { attachmentsOf } from "../../agents/channels/answers.ts";
import { safeName } from "../../agents/files/attachments.ts";
import { keepUpload, uploadOf } from "../../agents/files/uploads.ts";
import type { LiveSession } from "../../agents/sessions/session.ts";
import { commonHeaders } from "../answer.ts";
import { readBytes } from "./body.ts";
import { kindOf } from "./turn-events.ts";

const jsonUpload = z.object({ name: z.string(), mimeType: z.string(), data: z.base64() });

/**
 * Most bytes of an upload: the largest attachment in base64 (4/3 of its size), and 64 KiB for the form or JSON around
 * it.
 */
const mostUpload = Math.ceil((mostAttachmentBytes * 4) / 3) + 64 * 1024;

/**
 * Takes a file for a later message: its bytes with their type and `?name=`, a form with one file, or
 * `{name, mimeType, data}` with the bytes in base64.
 * @throws PatchbayError PAYLOAD_TOO_LARGE, BAD_INPUT
 */
export async function upload(session: LiveSession, request: IncomingMessage, url: URL): Promise<object> {
  const type = request.headers["content-type"] ?? "application/octet-stream";
  const body = await readBytes(request, mostUpload);
  const file = await fileIn(body, type, url.searchParams.get("name") ?? headerName(request));
  const id = randomUUID();
  await keepUpload(session.uploads, file, id);
  const { mimeType, bytes } = file;
  const name = safeName(file.name);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { id, type: kindOf(mimeType), name, mimeType, size: bytes.length, sha256 };
}

/** An uploaded file, or one that an answer brought. @throws PatchbayError NOT_FOUND */
export async function attachmentOf(session: LiveSession, id: string): Promise<ChannelAttachment> {
  const made = /^([A-Za-z0-9-]{1,64})\.(\d{1,3})$/.exec(id);
  if (made) {
    const attachment = (await attachmentsOf(session, made[1] as string))[Number(made[2])];
    if (attachment) return attachment;
  }
  const handedIn = await uploadOf(session.uploads, id);
  if (handedIn) return handedIn;
  throw new PatchbayError("NOT_FOUND", "There is no such attachment in this conversation.");
}

export function sendBytes(response: ServerResponse, { name, mimeType, data }: ChannelAttachment): void {
  const bytes = Buffer.from(data, "base64");
  response.writeHead(200, {
    ...commonHeaders,
    "content-type": mimeType,
    "content-length": bytes.length,
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
  response.end(bytes);
}

async function fileIn(
  body: Buffer,
  type: string,
  name: string | null,
): Promise<{ name: string; mimeType: string; bytes: Buffer }> {
  const mimeType = type.split(";")[0]?.trim().toLowerCase() || "application/octet-stream";
  try {
    if (mimeType === "multipart/form-data") {
      const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
      const file = [...form.values()].find((value) => typeof value !== "string");
      if (file === undefined) throw new Error("the form has no file");
      const bytes = Buffer.from(await file.arrayBuffer());
      return { name: file.name, mimeType: file.type || "application/octet-stream", bytes };
    }
    if (mimeType === "application/json" && name === null) {
      const given = jsonUpload.parse(JSON.parse(body.toString("utf8")));
      return { name: given.name, mimeType: given.mimeType, bytes: Buffer.from(given.data, "base64") };
    }
  } catch {
    throw new PatchbayError("BAD_INPUT", "The upload holds no file that can be read.");
  }
  return { name: name ?? "file", mimeType, bytes: body };
}

function headerName(request: IncomingMessage): string | null {
  const header = request.headers["content-disposition"] ?? "";
  return /filename="?([^";]+)/i.exec(header)?.[1] ?? null;
}
