import { linkParameter } from "../../../contract/gateway.ts";

const tokenKey = "patchbay.token";
const linkKey = "patchbay.link";
const keptAtKey = "patchbay.token.at";

/** What lets this page in: a token of its own, or the code of a link, which is exchanged for one. */
export interface PageKey {
  kind: "link" | "token";
  text: string;
  /** When a token was kept, in milliseconds since 1970; 0 when that is not known. */
  keptAt: number;
}

/** The code of the link that led here, else the token that this tab keeps. Changes nothing. */
export function readKey(): PageKey | null {
  const link = linkOf(location.href) ?? sessionStorage.getItem(linkKey);
  if (link !== null) return { kind: "link", text: link, keptAt: 0 };
  const token = sessionStorage.getItem(tokenKey);
  if (token === null) return null;
  return { kind: "token", text: token, keptAt: Number(sessionStorage.getItem(keptAtKey)) };
}

/** Keeps a token for this tab only. */
export function keepToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
  sessionStorage.setItem(keptAtKey, String(Date.now()));
}

/** The code of the link was used, or is good for nothing. */
export function forgetLink(): void {
  sessionStorage.removeItem(linkKey);
}

/** Takes the code out of the address, so that it ends up neither in bookmarks nor in screenshots. */
export function takeLink(): void {
  takeLinkOf(location.href);
}

/**
 * Loads the page again when a new link is opened in a tab with an old one: only the fragment changes then, and the
 * browser does not reload by itself.
 */
export function followNewLinks(signal: AbortSignal): void {
  const begin = ({ newURL }: HashChangeEvent) => {
    if (takeLinkOf(newURL) !== null) location.reload();
  };
  window.addEventListener("hashchange", begin, { signal });
}

function takeLinkOf(address: string): string | null {
  const given = linkOf(address);
  if (given === null) return null;
  sessionStorage.setItem(linkKey, given);
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  return given;
}

function linkOf(address: string): string | null {
  return new URLSearchParams(new URL(address).hash.slice(1)).get(linkParameter) || null;
}
