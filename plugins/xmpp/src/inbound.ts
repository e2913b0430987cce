import { createHash, randomUUID } from "node:crypto";
import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import type { Element } from "@xmpp/client";
import { encryptionOf } from "./encryption.ts";
import { idGivenBy, type RoomIds } from "./ids.ts";
import { bareOf, NS, resourceOf } from "./namespaces.ts";

/** What must be known to read a message. */
export interface Surroundings {
  /** The bot's own bare address. */
  self: string;
  isRoom(bare: string): boolean;
  /** Whether the room has sent all of its history, so that messages are new from now on. */
  isLive(room: string): boolean;
  /** The bot's name in a room. */
  nickIn(room: string): string;
  /** The address behind a name in a room, where the room shows it. */
  realAddress(room: string, nick: string): string | null;
  ids: RoomIds;
}

/** A message of the toolkit; null for what no person has written. */
export function readMessage(stanza: Element, around: Surroundings): InboundMessage | null {
  const { from = "", type = "normal" } = stanza.attrs;
  const bare = bareOf(from);
  if (type === "error" || type === "headline" || from === "" || encryptionOf(stanza) !== "none") return null;
  const groupchat = type === "groupchat";
  // A private message inside a room comes from a name in the room, which anybody can take.
  if (!groupchat && (stanza.getChild("x", NS.mucUser) || around.isRoom(bare))) return null;
  if (groupchat && (!around.isRoom(bare) || !around.isLive(bare) || resourceOf(from) === "")) return null;
  // What the room had kept. Who has that name now may be somebody else than who said it.
  if (groupchat && bareOf(stanza.getChild("delay", NS.delay)?.attrs.from ?? "") === bare) return null;
  const files = filesOf(stanza);
  const body = stanza.getChildText("body") ?? "";
  const text = files.some(({ ref }) => ref === body.trim()) ? "" : body;
  if (text === "" && files.length === 0 && !stanza.getChild("reactions", NS.reactions)) return null;
  const spoken = groupchat ? addressed(stanza, text, around, bare) : { addressed: true, text };
  // A correction goes by the message that it corrects, from whoever wrote that.
  const corrects = stanza.getChild("replace", NS.correction)?.attrs.id;
  const id = groupchat ? around.ids.inRoom(stanza, corrects) : (corrects ?? stanza.attrs.id);
  return {
    conversation: bare,
    ...(id !== undefined && { id: id.slice(0, 200) }),
    dedupeKey:
      corrects === undefined
        ? dedupeKey(stanza, from, groupchat ? bare : around.self)
        : keyOfLong(corrects, from, groupchat),
    kind: kindOf(stanza),
    from: sender(from, groupchat, around),
    text: spoken.text,
    ...(files.length > 0 && { files }),
    ...(groupchat && { group: { id: bare, addressed: spoken.addressed } }),
  };
}

function kindOf(stanza: Element): "message" | "edit" | "reaction" {
  if (stanza.getChild("replace", NS.correction)) return "edit";
  return stanza.getChild("reactions", NS.reactions) ? "reaction" : "message";
}

function sender(from: string, groupchat: boolean, around: Surroundings): InboundMessage["from"] {
  const bare = bareOf(from);
  const resource = resourceOf(from);
  if (!groupchat) return { id: bare, name: bare.split("@")[0] ?? bare, self: bare === around.self };
  const real = around.realAddress(bare, resource);
  return {
    // Where the room does not show who it is, anybody can have that name the next moment.
    ...(real === null ? { id: `${bare}/${resource}`, lasting: false } : { id: real }),
    name: resource,
    self: resource === around.nickIn(bare) || real === around.self,
  };
}

/** Ids of this length are random and not used again; shorter ones may be numbers that begin anew with each connection. */
const LONG_ID = 16;

/** A sender that connected anew may have another resource. In rooms the resource is who it is. */
const keyOfLong = (id: string, from: string, groupchat: boolean) =>
  `${groupchat ? from : bareOf(from)}\n${id}`;

/**
 * The sender's own id: a sender whose connection broke sends its message once more under the same id, and an archive
 * then gives it another one. Where the sender gives none, it is the id of the archive.
 */
function dedupeKey(stanza: Element, from: string, by: string): string {
  const origin = stanza.getChild("origin-id", NS.stanzaId)?.attrs.id;
  const { id, type } = stanza.attrs;
  const own = origin ?? id;
  if (own !== undefined && (origin !== undefined || own.length >= LONG_ID)) {
    return keyOfLong(own, from, type === "groupchat");
  }
  if (own !== undefined) {
    const text = createHash("sha256").update(stanza.getChildText("body") ?? "");
    return `${from}\n${own}\n${text.digest("base64url").slice(0, 16)}`;
  }
  const given = idGivenBy(by, stanza);
  return given === undefined ? `${from}\n${randomUUID()}` : `${by}\n${given}`;
}

function addressed(
  stanza: Element,
  text: string,
  around: Surroundings,
  room: string,
): { addressed: boolean; text: string } {
  const nick = around.nickIn(room);
  // The name may stand anywhere, with or without the sign that some programs put before it; at the beginning it is left out.
  const word = nick.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const first = new RegExp(`^\\s*@?${word}(?:[:,]|(?![\\p{L}\\p{N}_/@-]))\\s*`, "iu").exec(text);
  if (first) return { addressed: true, text: text.slice(first[0].length).trim() };
  const named = new RegExp(`(?<![\\p{L}\\p{N}_./-])@?${word}(?![\\p{L}\\p{N}_/@-])`, "iu").test(text);
  const own = [`xmpp:${room}/${nick}`, `xmpp:${around.self}`].map((uri) => uri.toLowerCase());
  const mentioned = stanza
    .getChildren("reference", NS.reference)
    .some(({ attrs }) => attrs.type === "mention" && own.includes(plainUri(attrs.uri ?? "")));
  return { addressed: named || mentioned, text };
}

/** An address as it is compared: without escapes and what follows a question mark. */
function plainUri(uri: string): string {
  return safeDecode(uri.split("?")[0] ?? "").toLowerCase();
}

function filesOf(stanza: Element): InboundFile[] {
  return stanza
    .getChildren("x", NS.oob)
    .map((child) => child.getChildText("url") ?? "")
    .filter((url) => URL.canParse(url))
    .slice(0, 10)
    .map((url) => {
      const name = safeDecode(new URL(url).pathname.split("/").at(-1) ?? "") || "file";
      const mimeType = mimeTypeOf(name);
      // XMPP has no voice notes: clients send what was spoken as a file.
      return { name, mimeType, ref: url, ...(mimeType.startsWith("audio/") && { voice: {} }) };
    });
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const mimeTypes: Record<string, string> = {
  aac: "audio/aac",
  amr: "audio/amr",
  flac: "audio/flac",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
  wav: "audio/wav",
  webp: "image/webp",
};

function mimeTypeOf(name: string): string {
  return mimeTypes[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
