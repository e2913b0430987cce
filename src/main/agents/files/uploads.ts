import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import { z } from "zod";
import { mostAttachmentBytes, PatchbayError } from "../../../contract/index.ts";
import type { SessionFiles } from "../../store/index.ts";
import { safeName } from "./attachments.ts";

/** A file that is being handed in. */
export interface Uploaded {
  name: string;
  mimeType: string;
  bytes: Buffer;
}

const aboutSchema = z.object({ name: z.string(), mimeType: z.string() });

/** Keeps a file for a later message. @param id a UUID @throws PatchbayError PAYLOAD_TOO_LARGE, DISK_FULL, WRITE_FAILED */
export async function keepUpload(
  uploads: SessionFiles,
  { name, mimeType, bytes }: Uploaded,
  id: string,
): Promise<void> {
  checkSize(name, bytes.length);
  await uploads.add(id, bytes);
  await uploads.add(`${id}.json`, Buffer.from(JSON.stringify({ name: safeName(name), mimeType })));
}

/** A file that was handed in; undefined when there is none of that id. @throws PatchbayError READ_FAILED */
export async function uploadOf(uploads: SessionFiles, id: string): Promise<ChannelAttachment | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const [bytes, about] = await Promise.all([uploads.read(id), uploads.read(`${id}.json`)]);
  if (!bytes || !about) return undefined;
  const { name, mimeType } = aboutSchema.parse(JSON.parse(about.toString("utf8")));
  return { name, mimeType, data: bytes.toString("base64") };
}

/** @throws PatchbayError PAYLOAD_TOO_LARGE */
export function checkSize(name: string, bytes: number): void {
  if (bytes > mostAttachmentBytes)
    throw new PatchbayError("PAYLOAD_TOO_LARGE", `${safeName(name)} is larger than 25 MiB.`);
}
