import type { NetworkJudge } from "../wall.ts";
import { privatePlace } from "./private-addresses.ts";

/**
 * Lets everything reach the public internet, and nothing this computer and its local network. For what nobody can be asked
 * about: scripts that build a package.
 *
 * @param also addresses that may be reached wherever they are, such as a registry of packages: with their port, because on
 * this computer the next port may be anybody's
 */
export function publicJudge(also: readonly URL[] = []): NetworkJudge {
  const places = new Set(also.map(placeOf));
  return {
    async decide({ host, port, addresses }) {
      if (port === null || places.has(`${host}:${port}`)) return { allowed: true };
      const found = (await addresses()).map((each) => privatePlace(each));
      const place = found.find((each) => each !== null);
      return place === undefined
        ? { allowed: true }
        : { allowed: false, why: `${host} is ${place}, which nobody allowed.` };
    },
  };
}

function placeOf({ hostname, port, protocol }: URL): string {
  const usual = protocol === "http:" ? "80" : "443";
  return `${hostname.replace(/^\[(.*)\]$/, "$1")}:${port || usual}`;
}
