import { Authority } from "../../authority/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { State } from "./state.ts";

type AuthorityNeeds = Pick<State, "storage" | "vault" | "audit" | "agents"> & {
  platform: Pick<Platform, "person">;
  tell(error: unknown): void;
};

/** Who may talk to the core, and what needs the person's word. */
export function openAuthority(
  { storage, vault, audit, agents, platform, tell }: AuthorityNeeds,
  stack: AsyncDisposableStack,
): Authority {
  const authority = new Authority({
    storage,
    audit,
    person: platform.person,
    passphrase: {
      isSet: () => vault.keys().some(({ kind }) => kind === "passphrase"),
      proves: (passphrase) => vault.isPassphrase(passphrase),
    },
  });
  // Another agent that gets its id does not get its programs.
  agents.changes.on("removed", (id) => void authority.programs.endOf(id).catch(tell));
  stack.defer(() => authority.close());
  return authority;
}
