import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { PutInSecret } from "../wall.ts";

/** A host and its port, the host as the network knows it: lower case, no brackets. */
export interface Place {
  host: string;
  port: number;
}

/** Headers that are about one connection and not about the request. */
const ofTheConnection = new Set([
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "upgrade",
]);

/** Whether a declared host is this place. Without a port it is that of HTTPS. */
export function isFor(declared: string, { host, port }: Place): boolean {
  const [, bracketed, plain, at] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(declared) ?? [];
  return (bracketed ?? plain) === host && Number(at ?? 443) === port;
}

/** Why a request is not passed on: it names another host than the one that is connected. Null when nothing is wrong. */
export function otherHostOf(asked: Pick<IncomingMessage, "rawHeaders" | "url">, place: Place): string | null {
  const hosts = valuesOf(asked.rawHeaders, "host");
  const [host = ""] = hosts;
  if (hosts.length !== 1) return "more than one host, or none";
  const name = isIP(place.host) === 6 ? `[${place.host}]` : place.host;
  const own = [`${name}:${place.port}`, ...(place.port === 443 ? [name] : [])];
  if (!own.includes(host.toLowerCase())) return host;
  const url = asked.url ?? "";
  return url.startsWith("/") || url === "*" ? null : url;
}

export interface Rewritten {
  /** Path and query. */
  target: string;
  /** Names and values in turn. */
  headers: string[];
  /**
   * Texts that an answer must not give back, also to a request that did not hold them: the values, in the forms in which
   * they are likely to come.
   */
  hidden: string[];
}

/** A secret that cannot be put in, for a reason that is a sentence. */
export class CannotPutIn extends Error {}

/**
 * A request with values in the place of placeholders, in the values of its headers (also within `Basic` credentials) and
 * in its address.
 *
 * @param secrets those that are put in on the way to this place
 * @throws CannotPutIn when one has no value now, or one that no header can have
 */
export function rewritten(
  { url = "", rawHeaders, method }: Pick<IncomingMessage, "url" | "rawHeaders" | "method">,
  secrets: readonly PutInSecret[],
): Rewritten {
  const hidden = new Set(secrets.flatMap(formsOf));
  const put = (text: string, encode: (value: string) => string): string => {
    let result = text;
    for (const secret of secrets) {
      if (!result.includes(secret.placeholder)) continue;
      const value = currentOf(secret);
      result = result.replaceAll(secret.placeholder, () => encode(value));
    }
    return result;
  };
  const [path = "", ...query] = url.split("?");
  const target = [put(path, encodeSegment), ...query.map((part) => put(part, encodeURIComponent))].join("?");
  const headers: string[] = [];
  let hasLength = false;
  for (const [name, value] of pairsOf(rawHeaders)) {
    const lower = name.toLowerCase();
    if (ofTheConnection.has(lower) || lower === "accept-encoding") continue;
    hasLength ||= lower === "content-length" || lower === "transfer-encoding";
    headers.push(name, lower === "authorization" ? credentials(value, put, hidden) : put(value, inHeader));
  }
  // Answers that are not compressed can be looked through.
  headers.push("Accept-Encoding", "identity");
  if (!hasLength && !["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].includes(method ?? ""))
    headers.push("Content-Length", "0");
  return { target, headers, hidden: [...hidden] };
}

export function valuesOf(rawHeaders: readonly string[], wanted: string): string[] {
  return pairsOf(rawHeaders).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

/** Headers as names with their values. */
export function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as [string, string]] : []));
}

/** `Basic` credentials are encoded, the placeholder with them. */
function credentials(
  text: string,
  put: (text: string, encode: (value: string) => string) => string,
  hidden: Set<string>,
): string {
  const [, scheme, encoded] = /^(basic +)([A-Za-z0-9+/=]+)$/i.exec(text.trim()) ?? [];
  if (scheme === undefined || encoded === undefined) return put(text, inHeader);
  const before = Buffer.from(encoded, "base64").toString();
  const after = put(before, (value) => value);
  if (after === before) return text;
  const whole = Buffer.from(after).toString("base64");
  hidden.add(whole);
  return scheme + whole;
}

function currentOf({ value }: PutInSecret): string {
  let found: string | undefined;
  try {
    found = value();
  } catch (error) {
    throw new CannotPutIn(error instanceof Error ? error.message : String(error));
  }
  if (found === undefined || found === "") throw new CannotPutIn("The secret has no value any more.");
  return found;
}

/** How a value is likely to be written in an answer; nothing while it cannot be looked up. */
function formsOf(secret: PutInSecret): string[] {
  try {
    const value = currentOf(secret);
    return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  } catch {
    return [];
  }
}

function inHeader(value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new CannotPutIn("The secret has characters that no header can have.");
}

/** As part of a path, where more characters stand for themselves than in a query. */
function encodeSegment(value: string): string {
  return encodeURIComponent(value).replace(/%(3A|40|24|26|2B|2C|3B|3D)/g, (code) => decodeURIComponent(code));
}
