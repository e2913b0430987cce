import type { IncomingMessage } from "node:http";
import { PatchbayError } from "../../../contract/index.ts";
import type { ChannelIdentity } from "./channel-tokens.ts";

/** A channel may name its own conversations alone. @throws PatchbayError FORBIDDEN */
export function checkNamespace(channel: ChannelIdentity, sessionId: string): void {
  if (sessionId.startsWith(`${channel.namespace}:`)) return;
  throw new PatchbayError(
    "FORBIDDEN",
    `A conversation of this channel is named ${channel.namespace}:<id>, not ${sessionId}.`,
  );
}

/** @throws PatchbayError BAD_INPUT */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new PatchbayError("BAD_INPUT", "The address is not written correctly.");
  }
}

export function nothingAt(request: IncomingMessage, url: URL): PatchbayError {
  return new PatchbayError("NOT_FOUND", `Nothing answers to ${request.method} ${url.pathname}.`);
}
