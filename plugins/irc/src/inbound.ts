import { createHash } from "node:crypto";
import type { InboundMessage } from "@patchbay/plugin-sdk/channel";
import type { MessageEvent } from "irc-framework";
import { withoutFormatting } from "./formatting.ts";
import { addressedTo, foldName } from "./names.ts";

/** Who the bot is on this network, and how the network compares names. */
export interface Identity {
  nick: string;
  casemapping: unknown;
  /** First characters of channel names. */
  channelTypes: readonly string[];
}

/** A message of the toolkit; null for what is no message of a person. */
export function readMessage(event: MessageEvent, action: boolean, me: Identity): InboundMessage | null {
  if (event.from_server || event.nick === "") return null;
  const fold = (name: string) => foldName(name, me.casemapping);
  const inChannel = me.channelTypes.includes(event.target.charAt(0));
  const plain = withoutFormatting(event.message);
  const spoken = inChannel ? addressedTo(plain, me.nick, me.casemapping) : { addressed: true, text: plain };
  const mask = `${event.nick}!${event.ident}@${event.hostname}`;
  // An account belongs to one person. Without one, the mask (`nick!user@host`) is all that is known.
  const account = event.account && event.account !== "*" ? event.account : null;
  const id = event.tags.msgid;
  return {
    conversation: fold(inChannel ? event.target : event.nick),
    ...(id !== undefined && { id: digest(id) }),
    from: {
      id: account ?? mask,
      name: event.nick,
      ...(account !== null && { aliases: [mask] }),
      self: fold(event.nick) === fold(me.nick),
      bot: "bot" in event.tags || "draft/bot" in event.tags,
    },
    text: action ? `* ${event.nick} ${spoken.text}` : spoken.text,
    ...(inChannel && { group: { id: fold(event.target), addressed: spoken.addressed } }),
  };
}

/** A short fixed-length form of an id, because ids in message tags may be hundreds of bytes long. */
function digest(id: string): string {
  return id.length <= 64 ? id : createHash("sha256").update(id).digest("base64url");
}
