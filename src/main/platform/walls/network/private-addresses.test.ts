import type { NetworkInterfaceInfo } from "node:os";
import { expect, test } from "vitest";
import { privatePlace } from "./private-addresses.ts";

const info = (cidr: string, family: "IPv4" | "IPv6") =>
  ({ address: cidr.replace(/\/.*/, ""), cidr, family }) as NetworkInterfaceInfo;
/** A computer with addresses of the public internet, as servers have, and homes with IPv6. */
const server = {
  lo: [info("127.0.0.1/8", "IPv4")],
  eth0: [info("93.184.216.34/24", "IPv4"), info("2606:2800:220:1::5/64", "IPv6")],
};

test.each([
  ["93.184.216.34", "this computer"],
  ["::ffff:93.184.216.34", "this computer"],
  ["2606:2800:220:1::5", "this computer"],
  ["2606:2800:220:1:0:0:0:5", "this computer"],
  ["93.184.216.99", "your local network"],
  ["2606:2800:220:1:ffff::9", "your local network"],
  ["93.184.217.1", null],
  ["2606:2800:220:2::5", null],
])("a public address of this computer and its network is told from others: %s", (address, place) => {
  expect(privatePlace(address, server)).toBe(place);
});

test.each([
  ["127.0.0.1", "this computer"],
  ["::ffff:127.0.0.1", "this computer"],
  ["0.0.0.0", "this computer"],
  ["::", "this computer"],
  ["::1", "this computer"],
  ["::ffff:7f00:1", "this computer"],
  ["64:ff9b::127.0.0.1", "this computer"],
  ["2002:7f00:1::", "a reserved network"],
  ["::127.0.0.1", "a reserved network"],
  ["fec0::1", "your local network"],
  ["fe80::1%eth0", "your local network"],
  ["not an address", "no known place"],
  ["8.8.8.8", null],
  ["2001:4860:4860::8888", null],
])("the kinds of addresses are known: %s", (address, place) => {
  expect(privatePlace(address, {})).toBe(place);
});
