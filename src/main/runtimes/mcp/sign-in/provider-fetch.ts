import { isIP } from "node:net";
import { addressesOf, type Fetch, judgedFetch } from "../../../platform/walls/network/judged-fetch.ts";
import { privatePlace } from "../../../platform/walls/network/private-addresses.ts";
import { smallAnswers } from "../../../platform/walls/network/small-answers.ts";
import type { NetworkJudge, NetworkTarget, Verdict } from "../../../platform/walls/wall.ts";

/** Most bytes of a description or a registration. */
const MOST_BYTES = 256 * 1_024;
/** Milliseconds that one answer may take. */
const ANSWER_MS = 10_000;

/** `fetch` for what a server points to before anybody has signed in, and which places inside were allowed on the way. */
export interface ProviderFetch {
  fetch: Fetch;
  /** Origins that are not on the public internet and that the person allowed. */
  inside(): string[];
}

/**
 * A server at a public address may point to public addresses alone. One on this computer or in the person's network may point
 * into it too, where the person allows the plugin to reach that place; addresses that machines give themselves (link-local),
 * where clouds keep their secrets, never.
 *
 * @param server the address of the server
 * @param judge decides about the plugin's connections, and asks the person
 */
export function providerFetch(
  server: URL,
  judge: NetworkJudge,
  signal: AbortSignal,
  resolve = addressesOf,
): ProviderFetch {
  const allowed = new Set<string>();
  const decide = async (target: NetworkTarget, aborted: AbortSignal): Promise<Verdict> => {
    const addresses = await target.addresses();
    if (addresses.every((address) => privatePlace(address) === null)) return { allowed: true };
    if (addresses.some(isLinkLocal)) return refused(`${target.host} is no place to sign in at.`);
    const own = await resolve(server.hostname.replace(/^\[|\]$/g, ""));
    if (own.every((address) => privatePlace(address) === null))
      return refused(`${target.host} is inside of your network, and the server is not.`);
    const verdict = await judge.decide(target, aborted);
    const host = isIP(target.host) === 6 ? `[${target.host}]` : target.host;
    if (verdict.allowed && target.port !== null) allowed.add(`http://${host}:${target.port}`);
    return verdict;
  };
  const judged = smallAnswers(judgedFetch({ decide }, resolve), MOST_BYTES);
  return {
    inside: () => [...allowed],
    fetch: (address, init = {}) => {
      const limits = [signal, AbortSignal.timeout(ANSWER_MS), ...(init.signal ? [init.signal] : [])];
      return judged(address, { ...init, signal: AbortSignal.any(limits) });
    },
  };
}

function isLinkLocal(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return isIP(plain) === 4 ? plain.startsWith("169.254.") : /^fe[89ab]/i.test(plain);
}

function refused(why: string): Verdict {
  return { allowed: false, why };
}
