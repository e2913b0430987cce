import type { NetworkJudge } from "../wall.ts";
import { privatePlace } from "./private-addresses.ts";

/**
 * Lets everything reach the public internet, and nothing this computer and its local network. For what nobody can be asked
 * about: scripts that build a package.
 *
 * @param also hosts that may be reached wherever they are, such as a registry of packages
 */
export function publicJudge(also: readonly string[] = []): NetworkJudge {
  return {
    async decide({ host, port, addresses }) {
      if (port === null || also.includes(host)) return { allowed: true };
      const places = (await addresses()).map((each) => privatePlace(each));
      const place = places.find((each) => each !== null);
      return place === undefined
        ? { allowed: true }
        : { allowed: false, why: `${host} is ${place}, which nobody allowed.` };
    },
  };
}
