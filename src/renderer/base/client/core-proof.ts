import { challengeParameter, gatewayPaths, proofText } from "../../../contract/gateway.ts";
import { LinkError } from "./link-error.ts";

/**
 * Makes sure that whoever answers at the page's address knows the token, before the page shows it: after Patchbay has ended,
 * any program of this machine may take its port.
 * @throws LinkError `refused` when it is not the Patchbay of this token, `unreachable` when nobody answers
 */
export async function checkCore(token: string, signal: AbortSignal): Promise<void> {
  // Pages under a name that the browser does not trust have no cryptography; Patchbay prints no such link.
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
    // Nobody, or a program that is no Patchbay: both may end.
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
