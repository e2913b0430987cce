import { createHash } from "node:crypto";
import type { InboundMessage } from "@patchbay/plugin-sdk/channel";
import type { MessageEvent } from "irc-framework";
import { withoutFormatting } from "../text/formatting.ts";
import type { Identity } from "../wire/about-server.ts";
import { addressedTo, foldName } from "../wire/names.ts";
import type { Said, Speaker } from "./speaker.ts";

/** A message before it is known whose it is. */
export interface Heard {
  said: Said;
  by(speaker: Speaker): InboundMessage;
}

/** Null for what is no message of somebody else. */
export function readMessage(event: MessageEvent, action: boolean, me: Identity): Heard | null {
  if (event.from_server || event.nick === "") return null;
  const fold = (name: string) => foldName(name, me.casemapping);
  if (fold(event.nick) === fold(me.nick)) return null;
  const inChannel = me.channelTypes.includes(event.target.charAt(0));
  const plain = withoutFormatting(event.message);
  const spoken = inChannel ? addressedTo(plain, me.nick, me.casemapping) : { addressed: true, text: plain };
  const tagged = event.account && event.account !== "*" ? event.account : undefined;
  const tags = event.tags;
  const id = tags.msgid;
  return {
    said: {
      nick: event.nick,
      userhost: `${event.ident}@${event.hostname}`,
      account: tagged ?? (me.accountTags ? null : undefined),
      direct: !inChannel,
      matters: spoken.addressed,
    },
    by: (speaker) => ({
      conversation: inChannel ? fold(event.target) : speaker.conversation,
      ...(id !== undefined && { id: digest(id) }),
      from: {
        id: speaker.id,
        name: event.nick,
        lasting: speaker.lasting,
        bot: speaker.bot || "bot" in tags || "draft/bot" in tags,
      },
      text: action
        ? `* ${event.nick} ${spoken.text}`
        : spoken.addressed
          ? commandOf(spoken.text)
          : spoken.text,
      ...(inChannel && { group: { id: fold(event.target), addressed: spoken.addressed } }),
    }),
  };
}

/** IRC programs keep what begins with a slash for themselves, so `!new`, `help` and `help new` are commands, too. */
function commandOf(text: string): string {
  if (/^!\p{L}/u.test(text)) return `/${text.slice(1)}`;
  return /^help(?: [!/]?[\w-]+)?$/i.test(text.trim()) ? `/${text.trim()}` : text;
}

/** A short fixed-length form of an id, because ids in message tags may be hundreds of bytes long. */
function digest(id: string): string {
  return id.length <= 64 ? id : createHash("sha256").update(id).digest("base64url");
}
