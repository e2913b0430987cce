import { isPicture, PatchbayError } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";

const mostBytes = 10 * 1024 * 1024;
const patienceMs = 15_000;

/**
 * Fetches a picture that a text names, because the person wants to see it. Nothing of theirs is sent along, and nothing but a picture comes
 * back.
 * @throws PatchbayError BAD_INPUT for what is no address of one, NOT_FOUND, PAYLOAD_TOO_LARGE
 */
export async function fetchPicture(
  url: string,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<File> {
  const address = URL.parse(url);
  if (!address || !["http:", "https:"].includes(address.protocol) || address.username || address.password)
    throw new PatchbayError("BAD_INPUT", "That is not the address of a picture.");
  const patience = new AbortController();
  const cancel = clock.after(patienceMs, () => patience.abort());
  try {
    const response = await fetch(address, {
      headers: { accept: "image/png, image/jpeg, image/gif, image/webp" },
      signal: signal ? AbortSignal.any([signal, patience.signal]) : patience.signal,
    });
    const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    if (!response.ok || !response.body || !isPicture({ mimeType: type })) {
      await response.body?.cancel();
      throw noPicture(address);
    }
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > mostBytes)
        throw new PatchbayError("PAYLOAD_TOO_LARGE", "The picture is larger than 10 MiB.");
      chunks.push(chunk as Uint8Array<ArrayBuffer>);
    }
    const name = address.pathname.split("/").at(-1) || "picture";
    return new File(chunks, name, { type });
  } catch (error) {
    if (error instanceof PatchbayError) throw error;
    throw noPicture(address, error);
  } finally {
    cancel();
  }
}

function noPicture({ host }: URL, cause?: unknown): PatchbayError {
  return new PatchbayError("NOT_FOUND", `${host} gave no picture.`, { cause });
}
