import { challengeParameter, gatewayPaths, holderParameter, proofText } from "../../../contract/gateway.ts";
import { LinkError } from "./link-error.ts";

/**
 * Checks that the program at the page's address knows the token (or the code of a link), before the page shows it:
 * once Patchbay has ended, any program on this machine may use its port.
 * @throws LinkError `refused` when it is not the Patchbay of this token, `unreachable` when nobody answers
 */
export async function checkCore(token: string, signal: AbortSignal): Promise<void> {
  // `crypto.subtle` exists only on addresses that the browser trusts. Patchbay prints no link to another one.
  if (!isSecureContext) return;
  const [holder = "", secret = ""] = token.split(".");
  const challenge = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const [answered, expected] = await Promise.all([
    ask(challenge, holder, signal),
    sign(await keyOf(secret), proofText(location.host, challenge)),
  ]);
  if (!answered.includes(expected)) throw new LinkError("refused");
}

async function ask(challenge: string, holder: string, signal: AbortSignal): Promise<unknown[]> {
  const asked = new URLSearchParams({ [challengeParameter]: challenge, [holderParameter]: holder });
  try {
    const answer = await fetch(`${gatewayPaths.proof}?${asked}`, { signal, cache: "no-store" });
    const { proofs } = (await answer.json()) as { proofs?: unknown };
    if (Array.isArray(proofs)) return proofs;
  } catch {
    // Nobody answers, or a program that is not Patchbay. Both may end, so the page tries again.
  }
  throw new LinkError("unreachable");
}

const encode = (value: string) => new TextEncoder().encode(value);

/** What the core keeps of the secret part of a token. */
async function keyOf(secret: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", encode(secret))));
}

async function sign(signingKey: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encode(signingKey), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(text))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
