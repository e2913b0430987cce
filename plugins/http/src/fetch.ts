import { HostNotAllowed } from "@patchbay/plugin-sdk";
import { privateKind, type Resolve } from "./addresses.ts";
import { findRule, type HostRule, hostOf } from "./hosts.ts";
import { type Answer, get } from "./request.ts";
import type { HttpSettings } from "./settings.ts";
import { decodeText, isTextType, looksLikeText, parseMediaType } from "./text.ts";

/** What was read of an address. */
export interface Page {
  url: string;
  status: number;
  statusText: string;
  contentType: string | null;
  /** Null: the answer is not text. */
  text: string | null;
  charset: string | null;
  /** Bytes of the body, compression taken off; null when the body was not read to its end. */
  bytes: number | null;
  redirects: string[];
}

export interface FetchRules extends Omit<HttpSettings, "allowedHosts"> {
  allowed: readonly HostRule[];
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Reads one address. Every hop is checked anew: scheme, allowed host, and the address that its name leads to.
 * @throws Error with a sentence that names the host and, where one helps, the setting to change; or the reason of
 * the caller's signal.
 */
export async function fetchPage(
  address: string,
  rules: FetchRules,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Page> {
  const clock = AbortSignal.timeout(rules.timeoutSeconds * 1000);
  const either = AbortSignal.any([signal, clock]);
  let url = parseAddress(address, null);
  try {
    for (const redirects: string[] = []; ; ) {
      const answer = await open(url, rules, resolve, either);
      try {
        const location = redirectStatuses.has(answer.status) ? answer.headers.location : undefined;
        if (location === undefined) return await read(url, answer, redirects, rules.maxBytes);
        if (redirects.length === maxRedirects) {
          throw new Error(
            `${hostOf(url)} sent the request on more than ${maxRedirects} times; it was given up.`,
          );
        }
        redirects.push(url.href);
        url = parseAddress(location, url);
      } finally {
        answer.close();
      }
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (clock.aborted) {
      throw new Error(
        `${hostOf(url)} did not answer completely within ${rules.timeoutSeconds} s. ` +
          `Raise "Time limit" in the settings of HTTP if it is slow by nature.`,
      );
    }
    throw error;
  }
}

async function open(url: URL, rules: FetchRules, resolve: Resolve, signal: AbortSignal): Promise<Answer> {
  const host = hostOf(url);
  if (rules.allowed.length === 0) {
    throw new HostNotAllowed(
      `No host is allowed yet, so ${host} was not read. Add ${host} to "Allowed hosts" in the settings of HTTP.`,
      url.host,
    );
  }
  if (!findRule(rules.allowed, url)) {
    throw new HostNotAllowed(
      `${url.host} is not among the allowed hosts. Add it to "Allowed hosts" in the settings of HTTP if the agent may read it.`,
      url.host,
    );
  }
  const addresses = await abortable(resolve(host), signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Error(
      `The name ${host} could not be found (${codeOf(error)}). Check its spelling and the network.`,
    );
  });
  if (addresses.length === 0) throw new Error(`The name ${host} has no address.`);
  if (!rules.allowPrivate) {
    for (const { address } of addresses) {
      const kind = privateKind(address);
      if (kind !== null) {
        throw new Error(
          `${host} leads to ${address}, ${kind}, and was not read. ` +
            `Switch on "Allow private addresses" in the settings of HTTP if that is what you want.`,
        );
      }
    }
  }
  return get(url, addresses, signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Error(connectionSentence(host, codeOf(error)));
  });
}

async function read(url: URL, answer: Answer, redirects: string[], maxBytes: number): Promise<Page> {
  const contentType = answer.headers["content-type"] ?? null;
  const type = parseMediaType(contentType ?? undefined);
  const page = {
    url: url.href,
    status: answer.status,
    statusText: answer.statusText,
    contentType,
    redirects,
  };
  const declared = Number(answer.headers["content-length"] ?? Number.NaN);
  if (isTextType(type) === false) {
    return { ...page, text: null, charset: null, bytes: Number.isFinite(declared) ? declared : null };
  }
  if (declared > maxBytes) throw tooLarge(url, maxBytes);
  const bytes = await collect(url, answer, maxBytes);
  if (isTextType(type) === null && !looksLikeText(bytes)) {
    return { ...page, text: null, charset: null, bytes: bytes.length };
  }
  return { ...page, ...decodeText(bytes, type), bytes: bytes.length };
}

async function collect(url: URL, answer: Answer, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new Error(`The answer of ${hostOf(url)} broke off (${codeOf(error)}). Try again.`);
  }
  if (size > maxBytes) throw tooLarge(url, maxBytes);
  return Buffer.concat(chunks);
}

function parseAddress(text: string, base: URL | null): URL {
  const origin = base ? ` that ${hostOf(base)} sent the request on to` : "";
  if (!URL.canParse(text, base?.href))
    throw new Error(`The address "${text}"${origin} is not a web address.`);
  const url = new URL(text, base?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(
      `Only http and https addresses are read; "${url.protocol}" in "${text}"${origin} is neither.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error(
      `The address of ${hostOf(url)}${origin} carries a user name or password; leave them out.`,
    );
  }
  url.hash = "";
  return url;
}

function tooLarge(url: URL, maxBytes: number): Error {
  return new Error(
    `The answer of ${hostOf(url)} is larger than ${maxBytes} bytes. Raise "Size limit" in the settings of HTTP to read it.`,
  );
}

function connectionSentence(host: string, code: string): string {
  switch (code) {
    case "ECONNREFUSED":
      return `${host} refused the connection. Nothing listens at that port.`;
    case "ECONNRESET":
      return `${host} closed the connection before it answered. Try again.`;
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `${host} cannot be reached from here. Check the network.`;
    default:
      break;
  }
  if (/CERT|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return `The certificate of ${host} is not trusted (${code}); the address was not read.`;
  }
  if (/SSL|TLS|EPROTO/.test(code)) return `${host} does not speak https at that port (${code}).`;
  return `The connection to ${host} failed (${code}).`;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Settles with the promise, or rejects as soon as the signal is aborted. The look-up itself cannot be stopped; its
 * result is ignored.
 */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
