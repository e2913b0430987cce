import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import type { NetworkJudge } from "../../../platform/walls/wall.ts";

/**
 * `fetch` that asks before each connection whether the plugin may reach the host, as the walls ask for a program. A redirect to
 * another place is not followed.
 */
export function grantedFetch(judge: NetworkJudge): FetchLike {
  return async (address, init) => {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const signal = init?.signal ?? new AbortController().signal;
    const verdict = await judge.decide({ host, port, addresses: () => addressesOf(host) }, signal);
    if (!verdict.allowed)
      throw new PatchbayError("HOST_NOT_ALLOWED", `It may not reach ${url.host}: ${verdict.why}`, {
        details: { host: url.host },
      });
    return fetch(url, { ...init, redirect: "manual" });
  };
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}
