import { TextDecoder } from "node:util";

/** What the `content-type` header says. */
export interface MediaType {
  /** Lower case, as in `text/html`; null when the server said nothing. */
  essence: string | null;
  charset: string | null;
}

export function parseMediaType(header: string | undefined): MediaType {
  const [essence = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*"?([^"\s]+)"?$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return { essence: essence === "" ? null : essence.toLowerCase(), charset: charset?.toLowerCase() ?? null };
}

const textual =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml)|application\/(x-)?(javascript|ecmascript|ndjson|jsonlines|json-seq|yaml|toml|sql|graphql|x-sh|xhtml\+xml|x-www-form-urlencoded|x-ndjson|jwt)|image\/svg\+xml|message\/.*)$/;

/** Whether an answer of this type is text; null when only its bytes can tell. */
export function isTextType(type: MediaType): boolean | null {
  if (type.essence === null || type.essence === "application/octet-stream") return null;
  return textual.test(type.essence);
}

/** Whether bytes look like text: no NUL, and UTF-8 or a byte order mark. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (byteOrderMark(bytes)) return true;
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Text of a body, by its byte order mark, the header's charset, or what the document says of itself (HTML, XML);
 * UTF-8 when nothing says otherwise. Bytes that do not fit become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, type: MediaType): { text: string; charset: string } {
  const label = byteOrderMark(bytes) ?? type.charset ?? declaredCharset(bytes, type) ?? "utf-8";
  const decoder = decoderFor(label) ?? new TextDecoder("utf-8");
  return { text: decoder.decode(bytes), charset: decoder.encoding };
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return null;
}

function declaredCharset(bytes: Uint8Array, type: MediaType): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const isXml = type.essence === null || /xml$/.test(type.essence);
  if (isXml) {
    const encoding = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1];
    if (encoding) return encoding;
  }
  if (type.essence !== null && !type.essence.includes("html")) return null;
  return /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1] ?? null;
}

function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
