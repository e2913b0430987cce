import { type Grants, grantsOf } from "../../src/contract/index.ts";
import type { Permissions } from "../../src/main/permissions/permissions.ts";
import type { Attempt } from "../../src/main/platform/walls/wall.ts";

/** Everything: all files, all programs, every address. */
export const everything: Grants = {
  network: { reach: "any", hosts: [], refused: [] },
  files: { workspace: "write", folders: [{ path: "/", access: "write" }] },
  programs: { reach: "any", names: [] },
};

/** Permissions that grant what a plugin asks for, or `grants` to all of them, and answer each question about a host with yes. */
export function givenWalls(
  grants?: Grants,
  refused: (attempt: Attempt) => void = () => {},
): Pick<Permissions, "of" | "granted" | "walls"> {
  return {
    of: (_agentId, plugin) => grants ?? grantsOf(plugin.consent),
    granted: () => {},
    walls: (_agentId, plugin) => ({
      grants: grants ?? grantsOf(plugin.consent),
      judge: { decide: async () => ({ allowed: true }) },
      refused,
    }),
  };
}
