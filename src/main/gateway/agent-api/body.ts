import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import { issueWords } from "../../../contract/shown/issue-words.ts";

/**
 * The body of a request, read up to a limit.
 * @throws PatchbayError PAYLOAD_TOO_LARGE before more than the limit is held
 */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new PatchbayError("PAYLOAD_TOO_LARGE", `A message may carry at most ${Math.round(maxBytes / 1024)} KiB.`);
  if (Number(request.headers["content-length"]) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws PatchbayError PAYLOAD_TOO_LARGE, BAD_INPUT */
export async function readJson<T>(
  request: IncomingMessage,
  schema: z.ZodType<T>,
  maxBytes: number,
): Promise<T> {
  return parseJson(await readBytes(request, maxBytes), request, schema);
}

/** A body that was read. @throws PatchbayError BAD_INPUT */
export function parseJson<T>(bytes: Buffer, { headers }: IncomingMessage, schema: z.ZodType<T>): T {
  let raw: unknown;
  try {
    raw = bytes.length === 0 ? {} : JSON.parse(decode(bytes, headers["content-type"]));
  } catch (error) {
    if (error instanceof PatchbayError) throw error;
    throw new PatchbayError("BAD_INPUT", "The body is not JSON.");
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue && issue.path.length > 0 ? `The field ${issue.path.join(".")}` : "The body";
  throw new PatchbayError(
    "BAD_INPUT",
    `${field} ${issue ? issueWords({ ...issue }) : "has the wrong shape"}.`,
  );
}

/** Text in the encoding that the request names, UTF-8 unless it does. @throws PatchbayError BAD_INPUT for an unknown one */
function decode(bytes: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw new PatchbayError("BAD_INPUT", `The encoding ${charset.slice(0, 40)} is not known.`, {
      help: "Send UTF-8.",
    });
  }
}
