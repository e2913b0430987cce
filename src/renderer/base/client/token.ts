import { tokenParameter } from "../../../contract/gateway.ts";

const key = "patchbay.token";

/**
 * The token of the link that `patchbay serve` printed. It is taken out of the address at once, so that it ends up neither
 * in bookmarks nor in screenshots, and kept for this tab only.
 */
export function takeToken(): string | null {
  return keepTokenOf(location.href) ?? sessionStorage.getItem(key);
}

/** A new link that is opened in the tab of an old one changes only the fragment: the page then begins anew with its token. */
export function followNewLinks(signal: AbortSignal): void {
  const begin = ({ newURL }: HashChangeEvent) => {
    if (keepTokenOf(newURL) !== null) location.reload();
  };
  window.addEventListener("hashchange", begin, { signal });
}

function keepTokenOf(address: string): string | null {
  const given = new URLSearchParams(new URL(address).hash.slice(1)).get(tokenParameter);
  if (!given) return null;
  sessionStorage.setItem(key, given);
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  return given;
}
