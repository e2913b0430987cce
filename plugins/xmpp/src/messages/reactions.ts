import type { MessageMark } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { NS } from "../namespaces.ts";

const emojis: Readonly<Record<MessageMark, string>> = { seen: "👀", working: "⏳" };

/**
 * The reaction that shows a mark at somebody's message (XEP-0444). It takes the place of the one before; without a mark it
 * takes that away. No server keeps it: whoever is away would get the mark and not its end.
 *
 * @param messageId of a direct message the id that its sender gave it, of one in a room the id that the room gave it
 */
export function reaction(
  to: string,
  type: "chat" | "groupchat",
  messageId: string,
  mark: MessageMark | null,
): Element {
  return xml(
    "message",
    { to, type },
    xml(
      "reactions",
      { xmlns: NS.reactions, id: messageId },
      mark !== null && xml("reaction", {}, emojis[mark]),
    ),
    xml("no-store", { xmlns: NS.hints }),
    xml("no-permanent-store", { xmlns: NS.hints }),
  );
}
