/** One line of the list of allowed hosts. */
export interface HostRule {
  /** Lower case, without a trailing dot; an IPv6 address without its brackets. */
  host: string;
  /** Covers the names below `host` and not `host` itself. */
  subdomains: boolean;
  /** Null: any port. */
  port: number | null;
}

/**
 * Reads `example.com`, `*.example.com`, `example.com:8080`, `127.0.0.1`, `[::1]:8080`.
 * @throws Error with a sentence that says what to write instead.
 */
export function parseHostRule(text: string): HostRule {
  const entry = text.trim();
  if (entry === "") throw new Error("An allowed host is empty. Write a host name such as example.com.");
  if (entry.includes("/") || entry.includes("@")) {
    throw new Error(`"${entry}" is not a host name. Write only the host, such as example.com.`);
  }
  const subdomains = entry.startsWith("*.");
  const name = subdomains ? entry.slice(2) : entry;
  const bare = isBareIpv6(name) ? `[${name}]` : name;
  const port = /:(\d{1,5})$/.exec(bare.replace(/^\[[^\]]*\]/, ""))?.[1];
  const url = URL.canParse(`http://${bare}`) && !bare.includes("*") ? new URL(`http://${bare}`) : null;
  if (!url || (bare.includes(":") && !bare.startsWith("[") && port === undefined)) {
    throw new Error(`"${entry}" is not a host name. Write example.com, *.example.com or example.com:8080.`);
  }
  return { host: hostOf(url), subdomains, port: port === undefined ? null : Number(port) };
}

/** The rule that allows an address, if any. */
export function findRule(rules: readonly HostRule[], url: URL): HostRule | undefined {
  const host = hostOf(url);
  const port = portOf(url);
  return rules.find(
    (rule) =>
      (rule.port === null || rule.port === port) &&
      (rule.subdomains ? host.endsWith(`.${rule.host}`) : host === rule.host),
  );
}

/** Host of an address, lower case, without brackets and trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function isBareIpv6(text: string): boolean {
  return /^[0-9a-f:.]*$/i.test(text) && (text.match(/:/g)?.length ?? 0) > 1;
}
