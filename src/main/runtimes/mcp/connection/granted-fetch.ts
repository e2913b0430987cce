import { lookup } from "node:dns/promises";
import { request as plain } from "node:http";
import { request as secure } from "node:https";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { FetchLike } from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import type { NetworkJudge } from "../../../platform/walls/wall.ts";

/** Answers that have no body by what they are. */
const bodiless = new Set([101, 204, 205, 304]);

/**
 * `fetch` for a server that the core itself connects to. Before each connection it asks whether the plugin may reach the host, as
 * the walls ask for a program, and connects to the addresses that were judged and to no others: whoever names the host could
 * otherwise answer with another address the second time. A redirect is handed back and not followed.
 */
export function grantedFetch(judge: NetworkJudge, resolve = addressesOf): FetchLike {
  return async (address, init = {}) => {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const signal = init.signal ?? new AbortController().signal;
    let judged: Promise<string[]> | undefined;
    const addresses = () => {
      judged ??= resolve(host);
      return judged;
    };
    const verdict = await judge.decide({ host, port, addresses }, signal);
    if (!verdict.allowed)
      throw new PatchbayError("HOST_NOT_ALLOWED", `It may not reach ${url.host}: ${verdict.why}`, {
        details: { host: url.host },
      });
    return exchange(url, init, { signal, addresses: await addresses() });
  };
}

function exchange(
  url: URL,
  { method = "GET", headers, body }: RequestInit,
  { signal, addresses }: { signal: AbortSignal; addresses: readonly string[] },
): Promise<Response> {
  if (body !== undefined && body !== null && typeof body !== "string")
    return Promise.reject(new TypeError("Only texts are sent to MCP servers."));
  const start = url.protocol === "https:" ? secure : plain;
  return new Promise((resolve, reject) => {
    const found = addresses.map((one) => ({ address: one, family: isIP(one) }));
    const asked = start(
      url,
      {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        signal,
        lookup: (_host, options, done) => {
          const [first] = found;
          if (options.all) done(null, found);
          else done(first ? null : new Error("It has no address."), first?.address ?? "", first?.family);
        },
      },
      (answer) => {
        const given = new Headers();
        for (const [name, values] of Object.entries(answer.headersDistinct))
          for (const value of values ?? []) given.append(name, value);
        const status = answer.statusCode ?? 502;
        const hasBody = !bodiless.has(status);
        if (!hasBody) answer.resume();
        const stream = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null;
        resolve(new Response(stream, { status, statusText: answer.statusMessage ?? "", headers: given }));
      },
    );
    asked.on("error", reject);
    asked.end(body ?? undefined);
  });
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}
