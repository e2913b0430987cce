import { lookup } from "node:dns/promises";
import { request as plain } from "node:http";
import { request as secure } from "node:https";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import { PatchbayError } from "../../../../contract/index.ts";
import type { NetworkJudge } from "../wall.ts";

/** What every `fetch` of the core looks like. */
export type Fetch = (address: string | URL, init?: RequestInit) => Promise<Response>;

/** Answers that have no body by what they are. */
const bodiless = new Set([101, 204, 205, 304]);

/**
 * `fetch` for a server that the core itself connects to. Before each connection it asks whether the plugin may reach the host, as
 * the walls ask for a program, and connects to the addresses that were judged and to no others: whoever names the host could
 * otherwise answer with another address the second time. A redirect is handed back and not followed.
 *
 * @throws PatchbayError HOST_NOT_ALLOWED, and what the network says
 */
export function judgedFetch(judge: NetworkJudge, resolve = addressesOf): Fetch {
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
  const sent = body instanceof URLSearchParams ? body.toString() : body;
  if (sent !== undefined && sent !== null && typeof sent !== "string")
    return Promise.reject(new TypeError("Only texts and forms are sent."));
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
    asked.end(sent ?? undefined);
  });
}

/** The addresses that a host has now; its own where it is one. */
export async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}
