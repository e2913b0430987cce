/** Starts `patchbay` with the given arguments, on a computer on which every name that ends in `.example` is this computer. */
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";

const lookup = dns.lookup;
dns.lookup = async (host, options) => {
  if (!host.endsWith(".example")) return lookup(host, options);
  const found = { address: "127.0.0.1", family: 4 };
  return typeof options === "object" && options?.all ? [found] : found;
};
syncBuiltinESMExports();
await import("../../out/main/cli.js");
