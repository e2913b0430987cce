import { tokenParameter } from "../../../contract/gateway.ts";

const key = "patchbay.token";

/** The token in the link's fragment, or the one kept by this tab. Changes nothing. */
export function readToken(): string | null {
  return tokenOf(location.href) ?? sessionStorage.getItem(key);
}

/** Takes the token out of the address, so that it ends up neither in bookmarks nor in screenshots, and keeps it for this tab only. */
export function keepToken(): void {
  keepTokenOf(location.href);
}

/**
 * Loads the page again when a new link is opened in a tab with an old one: only the fragment changes then, and the
 * browser does not reload by itself.
 */
export function followNewLinks(signal: AbortSignal): void {
  const begin = ({ newURL }: HashChangeEvent) => {
    if (keepTokenOf(newURL) !== null) location.reload();
  };
  window.addEventListener("hashchange", begin, { signal });
}

function keepTokenOf(address: string): string | null {
  const given = tokenOf(address);
  if (given === null) return null;
  sessionStorage.setItem(key, given);
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  return given;
}

function tokenOf(address: string): string | null {
  return new URLSearchParams(new URL(address).hash.slice(1)).get(tokenParameter) || null;
}
