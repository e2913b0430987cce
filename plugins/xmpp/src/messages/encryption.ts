import type { Element } from "@xmpp/client";
import { NS } from "../namespaces.ts";

/** What is said once in a conversation whose messages cannot be read. */
export const NOT_READ =
  "I cannot read encrypted messages here. Please switch encryption off for this conversation.";

const encryptions: readonly string[] = [
  "eu.siacs.conversations.axolotl",
  "urn:xmpp:omemo:1",
  "urn:xmpp:omemo:2",
  "urn:xmpp:openpgp:0",
  "jabber:x:encrypted",
];

/**
 * Whether a message is encrypted (OMEMO, OpenPGP, OTR), and whether somebody said something in it: some carry keys alone.
 * Its body, where it has one, was written by the sender's program and says that it is encrypted.
 */
export function encryptionOf(stanza: Element): "none" | "keys" | "said" {
  const parts = stanza.getChildElements().filter((child) => encryptions.includes(child.getNS() ?? ""));
  const body = stanza.getChildText("body") ?? "";
  if (parts.length === 0) {
    return stanza.getChild("encryption", NS.encryption) || body.startsWith("?OTR") ? "said" : "none";
  }
  const keysOnly = parts.every(
    (part) => part.name === "encrypted" && omemo(part) && !part.getChild("payload"),
  );
  return keysOnly && body === "" ? "keys" : "said";
}

function omemo(part: Element): boolean {
  const namespace = part.getNS() ?? "";
  return namespace === "eu.siacs.conversations.axolotl" || namespace.startsWith("urn:xmpp:omemo:");
}
