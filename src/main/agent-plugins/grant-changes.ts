import { realpath } from "node:fs/promises";
import {
  type AgentPluginRow,
  comparedGrants,
  type Grants,
  PatchbayError,
  type Plugin,
  stepInWords,
} from "../../contract/index.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import { refuseStale } from "../registry/index.ts";
import type { AuditLog } from "../store/index.ts";
import type { Change } from "./commit.ts";
import { answered } from "./secret-answer.ts";

export interface GrantChangesOptions {
  permissions: Pick<Permissions, "of" | "granted">;
  pool: Pick<PluginPool, "apply">;
  audit: Pick<AuditLog, "record">;
  /** @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND */
  find(agentId: string, key: string): { row: AgentPluginRow | undefined; plugin: Plugin | undefined };
  commit(change: Change): Promise<AgentPluginRow>;
  at<T>(agentId: string, key: string, work: () => Promise<T>): Promise<T>;
}

/** What the person gives to one plugin of an agent, or takes from it: what it may reach, and stored secrets. */
export class GrantChanges {
  readonly #options: GrantChangesOptions;

  constructor(options: GrantChangesOptions) {
    this.#options = options;
  }

  /**
   * Sets what the plugin may reach. Null: what it asked for and the person agreed to at its installation. Resolves when
   * it runs with it; hosts hold at once, files and programs need a restart, which follows by itself.
   *
   * @param only `less`: refused when anything becomes possible by it
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, STALE_REVISION, BAD_INPUT, DISK_FULL, WRITE_FAILED
   */
  async set(
    agentId: string,
    key: string,
    wanted: Grants | null,
    { revision, only }: { revision?: number | undefined; only?: "less" } = {},
  ): Promise<void> {
    const { permissions, audit, pool, commit, find, at } = this.#options;
    const grants = wanted && (await withoutLinks(wanted));
    await at(agentId, key, async () => {
      const { row, plugin } = installed(find(agentId, key), key);
      refuseStale(key, { revision }, row);
      const before = permissions.of(agentId, plugin);
      const { grew } = comparedGrants(before, grants ?? before);
      if (only === "less" && grew.length > 0) {
        const what = grew.map(stepInWords).join(", ");
        throw new PatchbayError("BAD_INPUT", `This would also allow more than before: ${what}.`);
      }
      const none = { values: new Map(), outdated: [] };
      await commit({ agentId, key, ...none, row: () => ({ grants, revision }) });
      permissions.granted(agentId, key);
      const change = comparedGrants(before, permissions.of(agentId, plugin));
      if (change.grew.length + change.shrank.length === 0) return;
      audit.record({
        kind: "agent_plugin.granted",
        agentId,
        pluginKey: key,
        grew: change.grew.map(stepInWords),
        shrank: change.shrank.map(stepInWords),
        steps: change,
      });
    });
    await pool.apply(agentId, key);
  }

  /**
   * Gives a stored secret to a plugin that names it, or refuses it (also one that was given before).
   *
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, BAD_INPUT when it names no such secret, DISK_FULL, WRITE_FAILED
   */
  async answerSecret(agentId: string, key: string, name: string, give: boolean): Promise<void> {
    const { audit, pool, commit, find, at } = this.#options;
    await at(agentId, key, async () => {
      const { row, plugin } = installed(find(agentId, key), key);
      const patch = answered(plugin, key, row, name, give);
      await commit({ agentId, key, values: new Map(), outdated: [], row: () => patch });
      const kind = give ? "secret.given" : "secret.refused";
      audit.record({ kind, name, agentId, pluginKey: key });
    });
    await pool.apply(agentId, key);
  }
}

type Found = ReturnType<GrantChangesOptions["find"]>;

function installed({ row, plugin }: Found, key: string): Found & { plugin: Plugin } {
  if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed any more.`);
  return { row, plugin };
}

/**
 * With each folder by its path without links, as it is now. What was granted is that folder: a link that is changed later,
 * perhaps by a plugin, does not make it another one.
 */
async function withoutLinks(grants: Grants): Promise<Grants> {
  const folders = await Promise.all(
    grants.files.folders.map(async ({ path, access }) => ({
      path: await realpath(path).catch(() => path),
      access,
    })),
  );
  return { ...grants, files: { ...grants.files, folders } };
}
