import { within } from "../../../base/limit.ts";
import type { Fetch } from "../../../platform/walls/network/judged-fetch.ts";
import { fetchIcon, iconInAddress } from "./fetch-icon.ts";
import { namedIcons } from "./named-icons.ts";

/** Milliseconds that the icons of a server may take together. */
const WAIT_MS = 2_000;

/** Where a server at an address is, and how the plugin reaches it; null: it is a program. */
export type IconPlace = { address: URL; fetch: Fetch } | null;

/**
 * The icon that a running server names, as a `data:` address. It stands in the server's answer, or at the server's own address over
 * https; what lies elsewhere is not asked for, because a walled program could say something by it to somebody.
 *
 * @param raw `icons` of what it calls itself
 */
export function serverIcon(raw: unknown, place: IconPlace): Promise<string | null> {
  const named = namedIcons(raw);
  if (named.length === 0) return Promise.resolve(null);
  return within({ ms: WAIT_MS }, (abort) => firstOf(named, place, abort.signal)).catch(() => null);
}

async function firstOf(
  named: readonly string[],
  place: IconPlace,
  signal: AbortSignal,
): Promise<string | null> {
  for (const src of named) {
    const own = iconInAddress(src);
    if (own !== undefined) return own;
    const url = URL.parse(src);
    const isThere = url?.protocol === "https:" && url.origin === place?.address.origin;
    if (!url || !place || !isThere || url.username !== "" || url.password !== "") continue;
    const icon = await fetchIcon(url, place.fetch, signal).catch(() => null);
    if (icon !== null) return icon;
  }
  return null;
}
