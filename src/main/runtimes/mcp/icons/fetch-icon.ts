import { PatchbayError } from "../../../../contract/index.ts";
import { pictureAddress } from "../../../base/picture.ts";
import type { Fetch } from "../../../platform/walls/network/judged-fetch.ts";
import { smallAnswers } from "../../../platform/walls/network/small-answers.ts";
import { mostIconBytes, mostIconPixels } from "../server/own-icon.ts";

/** Milliseconds that an icon may take. */
const PATIENCE_MS = 10_000;

/**
 * An icon from its address, as a `data:` address of what its bytes are, whatever it is called there. Nothing of the person is sent
 * along, no redirect is followed, and no more is read than an icon may have.
 *
 * @param fetch decides which places may be reached
 * @throws PatchbayError HOST_NOT_ALLOWED, PAYLOAD_TOO_LARGE, NOT_FOUND; what the network says
 */
export async function fetchIcon(address: URL, fetch: Fetch, signal?: AbortSignal): Promise<string> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const answer = await smallAnswers(fetch, mostIconBytes)(address, {
    headers: { accept: "image/png, image/jpeg, image/webp" },
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
  });
  const bytes = answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0);
  const icon = pictureAddress(bytes, mostIconPixels);
  if (icon === undefined) throw new PatchbayError("NOT_FOUND", `${address.host} gave no icon.`);
  return icon;
}

/** An icon that stands in its own address; undefined where it is none that is shown. */
export function iconInAddress(src: string): string | undefined {
  const content = /^data:image\/[a-z+.-]+;base64,([A-Za-z0-9+/]+={0,2})$/.exec(
    src.slice(0, mostIconBytes * 2),
  )?.[1];
  const bytes = Buffer.from(content ?? "", "base64");
  return bytes.length <= mostIconBytes ? pictureAddress(bytes, mostIconPixels) : undefined;
}
