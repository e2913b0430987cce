import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

export interface Address {
  address: string;
  family: 4 | 6;
}

/** Looks a host name up once. An IP address is its own answer. */
export type Resolve = (host: string) => Promise<Address[]>;

export const resolveHost: Resolve = async (host) => {
  if (ipaddr.isValid(host)) return [{ address: host, family: host.includes(":") ? 6 : 4 }];
  const found = await lookup(host, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

const kinds: Record<string, string> = {
  loopback: "this computer itself",
  private: "a private network",
  uniqueLocal: "a private network",
  linkLocal: "the local link",
  carrierGradeNat: "a provider's inner network",
  multicast: "a multicast group",
  broadcast: "a broadcast address",
  unspecified: "no particular computer",
};

/**
 * Where an address leads, in words, when that is not a computer on the public internet; else null.
 * IPv4 addresses inside IPv6 ones (mapped, NAT64) are judged as the IPv4 address.
 */
export function privateKind(address: string): string | null {
  const parsed = embeddedIpv4(ipaddr.process(address));
  const range = parsed.range();
  if (range !== "unicast") return kinds[range] ?? "a reserved range";
  if (parsed.kind() === "ipv6" && !globalUnicast.some((net) => parsed.match(net))) return "a reserved range";
  return null;
}

const globalUnicast = [ipaddr.IPv6.parseCIDR("2000::/3")];
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || !address.match(nat64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
