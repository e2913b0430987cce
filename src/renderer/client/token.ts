import { tokenParameter } from "../../contract/gateway.ts";

const key = "patchbay.token";

/**
 * The token of the link that `patchbay serve` printed. It is taken out of the address at once, so that it ends up neither
 * in bookmarks nor in screenshots, and kept for this tab only.
 */
export function takeToken(): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get(tokenParameter);
  if (given) {
    sessionStorage.setItem(key, given);
    history.replaceState(null, "", `${location.pathname}${location.search}#/`);
    return given;
  }
  return sessionStorage.getItem(key);
}
