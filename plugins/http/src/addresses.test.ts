import { describe, expect, it } from "vitest";
import { privateKind, resolveHost } from "./addresses.ts";

describe("an address", () => {
  it.each([
    ["127.0.0.1", "this computer itself"],
    ["127.255.0.9", "this computer itself"],
    ["::1", "this computer itself"],
    ["10.1.2.3", "a private network"],
    ["172.16.0.1", "a private network"],
    ["172.31.255.255", "a private network"],
    ["192.168.1.1", "a private network"],
    ["fd12:3456::1", "a private network"],
    ["fc00::1", "a private network"],
    ["169.254.169.254", "the local link"],
    ["fe80::1", "the local link"],
    ["100.64.0.1", "a provider's inner network"],
    ["224.0.0.1", "a multicast group"],
    ["ff02::1", "a multicast group"],
    ["255.255.255.255", "a broadcast address"],
    ["0.0.0.0", "no particular computer"],
    ["::", "no particular computer"],
    ["::ffff:127.0.0.1", "this computer itself"],
    ["::ffff:10.0.0.1", "a private network"],
    ["64:ff9b::7f00:1", "this computer itself"],
    ["64:ff9b::a00:1", "a private network"],
    ["::127.0.0.1", "this computer itself"],
    ["::a00:1", "a reserved range"],
    ["2002:7f00:1::", "a reserved range"],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "a reserved range"],
    ["2001:db8::1", "a reserved range"],
    ["192.0.2.1", "a reserved range"],
    ["198.18.0.1", "a reserved range"],
    ["240.0.0.1", "a reserved range"],
    ["0.1.2.3", "no particular computer"],
    ["fec0::1", "a reserved range"],
    ["64:ff9b:1::1", "a reserved range"],
  ])("%s leads to %s", (address, kind) => {
    expect(privateKind(address)).toBe(kind);
  });

  it.each([
    "93.184.216.34",
    "1.1.1.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])("%s is public", (address) => {
    expect(privateKind(address)).toBeNull();
  });

  it("is its own answer when it is looked up", async () => {
    expect(await resolveHost("192.0.2.7")).toEqual([{ address: "192.0.2.7", family: 4 }]);
    expect(await resolveHost("::1")).toEqual([{ address: "::1", family: 6 }]);
  });
});
