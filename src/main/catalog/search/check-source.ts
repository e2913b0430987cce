import { fetchJson } from "../web.ts";
import { fetchCatalog } from "./catalog-file.ts";
import type { PublishesList } from "./published-list.ts";

const patienceMs = 5_000;
const mostBytes = 1024 * 1024;

/**
 * Asks a package registry or a catalogue once.
 * @throws PatchbayError REGISTRY_UNREACHABLE, REGISTRY_REFUSED, PACKAGE_NOT_FOUND
 */
export async function checkSource(
  kind: "registry" | "catalogue",
  url: string,
  runtimes: readonly PublishesList[],
): Promise<{ ms: number; entries: number | null }> {
  const begin = performance.now();
  const entries = kind === "catalogue" ? (await fetchCatalog(url, runtimes)).length : null;
  if (kind === "registry") {
    const ping = new URL("-/ping", url.endsWith("/") ? url : `${url}/`);
    await fetchJson(ping.toString(), { patienceMs, mostBytes });
  }
  return { ms: Math.round(performance.now() - begin), entries };
}
