/** Chromium has no scheme of ours, so `scheme://host/…` is shown as `https://host.scheme.invalid/…`, a secure origin too. */
const suffix = ".invalid";

export function toChromiumUrl(url: string, schemes: Iterable<string>): string {
  const parsed = new URL(url);
  const scheme = parsed.protocol.slice(0, -1);
  if (![...schemes].includes(scheme)) return url;
  return `https://${parsed.host}.${scheme}${suffix}${parsed.pathname}${parsed.search}${parsed.hash}`;
}

export function fromChromiumUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "https:" || !parsed.host.endsWith(suffix)) return url;
  const names = parsed.host.slice(0, -suffix.length).split(".");
  const scheme = names.pop();
  return `${scheme}://${names.join(".")}${parsed.pathname}${parsed.search}${parsed.hash}`;
}
