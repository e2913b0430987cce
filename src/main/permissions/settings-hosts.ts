import { isIP } from "node:net";
import { isObject } from "../../contract/is-object.ts";
import { ruleFor } from "./host-rules.ts";

/** Texts of the settings that are looked at, and the longest one: settings may be of any size. */
const MOST_TEXTS = 2_000;
const LONGEST = 2_048;

/**
 * The hosts that settings name: addresses of services, host names, IP addresses. Who writes `irc.example.org` into a
 * plugin's settings wants it to go there. Secrets are not looked at: their place holds a reference.
 */
export function hostsIn(settings: unknown): string[] {
  const found = new Set<string>();
  const pending = [settings];
  for (let seen = 0; pending.length > 0 && seen < MOST_TEXTS; ) {
    const next = pending.pop();
    if (typeof next === "string") {
      seen += 1;
      const rule = next.length <= LONGEST ? ruleIn(next.trim()) : null;
      if (rule !== null) found.add(rule);
    } else if (Array.isArray(next)) pending.push(...next.slice(0, MOST_TEXTS));
    else if (isObject(next)) pending.push(...Object.values(next));
  }
  return [...found];
}

function ruleIn(text: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return ruleOfUrl(text);
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = (bracketed ?? plain ?? text).toLowerCase();
  if (isIP(host) || host === "localhost" || isName(host)) {
    return ruleFor(host, port === undefined ? null : Number(port));
  }
  // What stands behind an @ in the address of an account, such as me@example.org, is the server of that account.
  const server = /^[^\s@/]+@([a-z0-9.-]+)$/i.exec(text)?.[1]?.toLowerCase();
  return server !== undefined && isName(server) ? server : null;
}

function ruleOfUrl(text: string): string | null {
  try {
    const url = new URL(text);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    return host === "" ? null : ruleFor(host.toLowerCase(), url.port === "" ? null : Number(url.port));
  } catch {
    return null;
  }
}

/** A name of at least two parts, or one with a star as rules have it. */
function isName(text: string): boolean {
  return /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(text);
}
