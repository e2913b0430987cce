import { createHash, randomUUID } from "node:crypto";
import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import type { Element } from "@xmpp/client";
import { bareOf, NS, resourceOf } from "../namespaces.ts";
import { idGivenBy, type RoomIds } from "../rooms/ids.ts";
import type { Occupants } from "../rooms/occupants.ts";
import { encryptionOf } from "./encryption.ts";

/** What must be known to read a message. */
export interface Surroundings {
  /** The bot's own bare address. */
  self: string;
  rooms: {
    has(bare: string): boolean;
    /** The bot's name in a room. */
    nickIn(room: string): string;
    /** Whether a name is one that the bot takes; an earlier process may have had another of them. */
    isOwnNick(nick: string): boolean;
    /** `isLive`: the room has sent all of its history, so that messages are new from now on. */
    occupants: Pick<Occupants, "isLive" | "authorOf">;
  };
  ids: RoomIds;
}

/** A message of the toolkit; null for what no person has written. */
export function readMessage(stanza: Element, around: Surroundings): InboundMessage | null {
  const { from = "", type = "normal" } = stanza.attrs;
  const bare = bareOf(from);
  if (type === "error" || type === "headline" || from === "" || encryptionOf(stanza) !== "none") return null;
  const groupchat = type === "groupchat";
  // A private message inside a room comes from a name in the room, which anybody can take.
  if (!groupchat && (stanza.getChild("x", NS.mucUser) || around.rooms.has(bare))) return null;
  if (groupchat && (!around.rooms.has(bare) || resourceOf(from) === "")) return null;
  const kind = kindOf(stanza, groupchat, around);
  const files = filesOf(stanza);
  const body = stanza.getChildText("body") ?? "";
  const text = files.some(({ ref }) => ref === body.trim()) ? "" : body;
  if (kind === null || (text === "" && files.length === 0 && kind !== "reaction")) return null;
  if (!groupchat) return direct(stanza, { bare, kind, text, files }, around);
  return inRoom(stanza, { bare, kind, text, files }, around);
}

interface Content {
  /** The bare address of the person or the room. */
  bare: string;
  kind: "message" | "edit" | "reaction" | "past";
  text: string;
  files: InboundFile[];
}

function direct(stanza: Element, { bare, kind, text, files }: Content, around: Surroundings): InboundMessage {
  const { from = "" } = stanza.attrs;
  // A correction goes by the message that it corrects, from whoever wrote that.
  const corrects = stanza.getChild("replace", NS.correction)?.attrs.id;
  const id = corrects ?? stanza.attrs.id;
  return {
    conversation: bare,
    ...(id !== undefined && { id: id.slice(0, 200) }),
    dedupeKey:
      corrects === undefined ? dedupeKey(stanza, from, around.self) : keyOfLong(corrects, from, false),
    kind,
    from: { id: bare, name: bare.split("@")[0] ?? bare, self: bare === around.self },
    text,
    ...(files.length > 0 && { files }),
  };
}

function inRoom(
  stanza: Element,
  { bare, kind, text, files }: Content,
  around: Surroundings,
): InboundMessage | null {
  const { from = "" } = stanza.attrs;
  const { rooms, ids, self } = around;
  const nick = resourceOf(from);
  const author = rooms.occupants.authorOf(stanza, kind === "past");
  const corrects = stanza.getChild("replace", NS.correction)?.attrs.id;
  const id = corrects === undefined ? ids.of(stanza, author) : ids.corrected(from, corrects, author);
  // What the room had kept is read as it was said, and not as what it was corrected to.
  if (id === null || (kind === "past" && corrects !== undefined)) return null;
  const spoken = addressed(stanza, text, around, bare);
  const own = kind === "past" ? rooms.isOwnNick(nick) : nick === rooms.nickIn(bare);
  return {
    conversation: bare,
    ...(id !== undefined && { id: id.slice(0, 200) }),
    dedupeKey: corrects === undefined ? dedupeKey(stanza, from, bare) : keyOfLong(corrects, from, true),
    kind,
    from: { ...author, name: nick, self: own || author.id === self },
    text: spoken.text,
    ...(files.length > 0 && { files }),
    group: { id: bare, addressed: spoken.addressed },
  };
}

/** Null: nothing that the bot was there for, and nothing that the room had kept either. */
function kindOf(stanza: Element, groupchat: boolean, { rooms }: Surroundings): Content["kind"] | null {
  const room = bareOf(stanza.attrs.from ?? "");
  const kept = groupchat && bareOf(stanza.getChild("delay", NS.delay)?.attrs.from ?? "") === room;
  if (kept) return stanza.getChild("reactions", NS.reactions) ? null : "past";
  if (groupchat && !rooms.occupants.isLive(room)) return null;
  if (stanza.getChild("replace", NS.correction)) return "edit";
  return stanza.getChild("reactions", NS.reactions) ? "reaction" : "message";
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
  const nick = around.rooms.nickIn(room);
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
