import { Authority } from "../../authority/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { State } from "./state.ts";

type AuthorityNeeds = Pick<State, "storage" | "vault" | "audit"> & { platform: Pick<Platform, "person"> };

/** Who may talk to the core, and what needs the person's word. */
export function openAuthority(
  { storage, vault, audit, platform }: AuthorityNeeds,
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
  stack.defer(() => authority.close());
  return authority;
}
