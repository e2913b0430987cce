import { challengeParameter, gatewayPaths, proofText } from "../../../contract/gateway.ts";
import { LinkError } from "./link-error.ts";

/**
 * Checks that the program at the page's address knows the token, before the page shows the token to it: once Patchbay
 * has ended, any program on this machine may use its port.
 * @throws LinkError `refused` when it is not the Patchbay of this token, `unreachable` when nobody answers
 */
export async function checkCore(token: string, signal: AbortSignal): Promise<void> {
  // `crypto.subtle` exists only on addresses that the browser trusts. Patchbay prints no link to another one.
  if (!isSecureContext) return;
  const challenge = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const [answered, expected] = await Promise.all([
    ask(challenge, signal),
    sign(token, proofText(location.host, challenge)),
  ]);
  if (answered !== expected) throw new LinkError("refused");
}

async function ask(challenge: string, signal: AbortSignal): Promise<string> {
  try {
    const answer = await fetch(`${gatewayPaths.proof}?${challengeParameter}=${challenge}`, {
      signal,
      cache: "no-store",
    });
    const { proof } = (await answer.json()) as { proof?: unknown };
    if (typeof proof === "string") return proof;
  } catch {
    // Nobody answers, or a program that is not Patchbay. Both may end, so the page tries again.
  }
  throw new LinkError("unreachable");
}

async function sign(token: string, text: string): Promise<string> {
  const encode = (value: string) => new TextEncoder().encode(value);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encode(token), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(text))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
