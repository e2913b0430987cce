const longest = 4_000;

/**
 * Whether an address may be put before a person to be opened: https, or http on this computer. Addresses with a name before
 * the host are none, because that name looks like the host.
 */
export function isPageAddress(address: string): boolean {
  const url = address.length <= longest ? URL.parse(address) : null;
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isHere(url.hostname));
}

function isHere(hostname: string): boolean {
  return /^(?:127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname);
}

/** The address as it is opened, in three parts; `host` is what decides whose page it is. Of a page address. */
export function addressParts(address: string): {
  before: string;
  host: string;
  after: string;
  disguised: boolean;
} {
  const { href, host, hostname, protocol } = new URL(address);
  const before = `${protocol}//`;
  const disguised = hostname.split(".").some((label) => label.startsWith("xn--"));
  return { before, host, after: href.slice(before.length + host.length), disguised };
}
