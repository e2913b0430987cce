import { PatchbayError } from "../../contract/index.ts";
import type { AgentPlugins } from "../registry/index.ts";
import type { Grants } from "../setup/persist/grants.ts";
import { readRecord } from "../setup/persist/record.ts";
import type { AuditLog } from "../store/index.ts";
import type { Change } from "./commit.ts";

export interface SignInEndsOptions {
  agentPlugins: Pick<AgentPlugins, "get">;
  grants: Pick<Grants, "revoke">;
  audit: Pick<AuditLog, "record">;
  commit(change: Change): Promise<unknown>;
}

/** How the sign-in of an agent's plugin ends: at its provider, and in what is stored here. */
export class SignInEnds {
  readonly #options: SignInEndsOptions;

  constructor(options: SignInEndsOptions) {
    this.#options = options;
  }

  /**
   * Revokes a sign-in at the provider, and deletes it here together with the profiles that the plugin stored. Does
   * nothing without a sign-in. A provider that cannot be reached must not prevent the plugin's removal: what failed is
   * in the audit entry.
   *
   * @throws PatchbayError SHUTTING_DOWN when the app closes meanwhile; what is stored here then stays as it is
   */
  async end(agentId: string, key: string): Promise<void> {
    const { agentPlugins, grants, audit } = this.#options;
    const { finished } = readRecord(agentPlugins.get(agentId, key));
    if (!finished?.grant && !finished?.credentials) return;
    const failed: string[] = [];
    const attempt = (work: Promise<void>) =>
      work.catch((error: unknown) => {
        if (error instanceof PatchbayError && error.code === "SHUTTING_DOWN") throw error;
        failed.push(error instanceof Error ? error.message : String(error));
      });
    await attempt(grants.revoke(agentId, key));
    await attempt(this.drop(agentId, key, { keepProfiles: false }));
    audit.record({
      kind: "setup.signed_out",
      agentId,
      pluginKey: key,
      ...(failed.length > 0 && { failed }),
    });
  }

  /** Deletes a sign-in here. Throws as `commit` does. */
  async drop(agentId: string, key: string, { keepProfiles }: { keepProfiles: boolean }): Promise<void> {
    const { finished, open } = readRecord(this.#options.agentPlugins.get(agentId, key));
    if (!finished) return;
    const credentials = keepProfiles ? finished.credentials : null;
    const dropped = [finished.grant, keepProfiles ? null : finished.credentials];
    await this.#options.commit({
      agentId,
      key,
      values: new Map(),
      outdated: [],
      dropped: dropped.filter((name) => name !== null),
      row: () => ({
        setupState: { finished: { ...finished, account: null, grant: null, credentials }, open },
      }),
    });
  }
}
