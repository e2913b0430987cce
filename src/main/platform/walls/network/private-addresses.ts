import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Ranges that are not on the public internet (IANA's special-purpose registries), and what they are in words. */
const ranges: [net: string, prefix: number, what: string][] = [
  ["0.0.0.0", 8, "this computer"],
  ["10.0.0.0", 8, "your local network"],
  ["100.64.0.0", 10, "your provider's network"],
  ["127.0.0.0", 8, "this computer"],
  ["169.254.0.0", 16, "your local network"],
  ["172.16.0.0", 12, "your local network"],
  ["192.0.0.0", 24, "a reserved network"],
  ["192.0.2.0", 24, "a reserved network"],
  ["192.88.99.0", 24, "a reserved network"],
  ["192.168.0.0", 16, "your local network"],
  ["198.18.0.0", 15, "a reserved network"],
  ["198.51.100.0", 24, "a reserved network"],
  ["203.0.113.0", 24, "a reserved network"],
  ["224.0.0.0", 4, "your local network"],
  ["240.0.0.0", 4, "a reserved network"],
  ["::", 128, "this computer"],
  ["::1", 128, "this computer"],
  ["::", 96, "a reserved network"],
  ["64:ff9b:1::", 48, "your local network"],
  ["100::", 64, "a reserved network"],
  ["2001::", 32, "a reserved network"],
  ["2001:db8::", 32, "a reserved network"],
  ["2002::", 16, "a reserved network"],
  ["fc00::", 7, "your local network"],
  ["fe80::", 10, "your local network"],
  ["fec0::", 10, "your local network"],
  ["ff00::", 8, "your local network"],
];

const lists = ranges.map(([net, prefix, what]) => {
  const list = new BlockList();
  list.addSubnet(net, prefix, isIP(net) === 6 ? "ipv6" : "ipv4");
  return { list, what };
});

/**
 * Where an IP address leads, in words, when that is not the public internet; else null. Servers, and homes with IPv6, have
 * public addresses themselves: their own are this computer, and those beside them the local network.
 *
 * @param interfaces what this computer is connected by
 */
export function privatePlace(address: string, interfaces = networkInterfaces()): string | null {
  const plain = ipv4Inside(address.replace(/%.*$/, ""));
  const family = isIP(plain);
  if (family === 0) return "no known place";
  const kind = family === 6 ? "ipv6" : "ipv4";
  const known = lists.find(({ list }) => list.check(plain, kind))?.what;
  return known ?? ownPlace(plain, kind, interfaces);
}

function ownPlace(
  address: string,
  kind: "ipv4" | "ipv6",
  interfaces: ReturnType<typeof networkInterfaces>,
): string | null {
  const [here, beside] = [new BlockList(), new BlockList()];
  for (const { address: own, cidr, family } of Object.values(interfaces).flatMap((each) => each ?? [])) {
    if (family.toLowerCase() !== kind) continue;
    here.addAddress(own, kind);
    const prefix = Number(cidr?.split("/")[1]);
    if (prefix > 0) beside.addSubnet(own, prefix, kind);
  }
  if (here.check(address, kind)) return "this computer";
  return beside.check(address, kind) ? "your local network" : null;
}

/** The IPv4 address that an IPv6 one wraps (mapped, NAT64), else the address itself. */
function ipv4Inside(address: string): string {
  const { hostname } = isIP(address) === 6 ? new URL(`http://[${address}]`) : { hostname: "" };
  const groups = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (!groups) return address;
  const [high, low] = [Number.parseInt(groups[1] as string, 16), Number.parseInt(groups[2] as string, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
