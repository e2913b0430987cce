import { type Element, xml } from "@xmpp/client";
import { NS } from "../namespaces.ts";

/** A message with a text. */
export function messageStanza(
  to: string,
  type: "chat" | "groupchat",
  id: string,
  body: string,
  ...more: Element[]
): Element {
  return xml(
    "message",
    { to, type, id },
    xml("body", {}, withoutForbidden(body)),
    xml("origin-id", { xmlns: NS.stanzaId, id }),
    more,
  );
}

/** Removes characters that XML 1.0 does not allow: they would end the stream. */
function withoutForbidden(text: string): string {
  return Array.from(text.toWellFormed())
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= 0x20 ? code !== 0xfffe && code !== 0xffff : code === 0x09 || code === 0x0a;
    })
    .join("");
}
