import { realpath } from "node:fs/promises";
import {
  type AgentPluginRow,
  comparedGrants,
  type Grants,
  PatchbayError,
  type Plugin,
  stepInWords,
} from "../../contract/index.ts";
import { hostSettingOf, listAt, withValueAt } from "../../contract/shown/host-setting.ts";
import { anyCovers } from "../permissions/host-rules.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { addableHost } from "../permissions/refused-host.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import { refuseStale } from "../registry/index.ts";
import type { Pins } from "../registry/pins/pins.ts";
import { settingsOf } from "../registry/settings/settings-of.ts";
import type { AuditLog } from "../store/index.ts";
import type { Change } from "./commit.ts";
import type { Wanted } from "./sealed-save.ts";
import { answered } from "./secret-answer.ts";
import { switched } from "./switches/switched.ts";

export interface GrantChangesOptions {
  permissions: Pick<Permissions, "of" | "granted">;
  pool: Pick<PluginPool, "apply" | "view" | "offersAnew">;
  /** What plugins were heard to offer, of those that do not run; absent: nothing. */
  pins?: Pick<Pins, "offered">;
  audit: Pick<AuditLog, "record">;
  /** @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND */
  find(agentId: string, key: string): { row: AgentPluginRow | undefined; plugin: Plugin | undefined };
  commit(change: Change): Promise<AgentPluginRow>;
  save(agentId: string, key: string, wanted: Wanted): Promise<void>;
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
   * Lets the plugin reach one more host of the public internet for this agent alone: by the list in its settings that its
   * schema marks for hosts, and by its grants where these name hosts. Nobody typed the name, so that the wall asks before
   * it leads to this computer or its network. Resolves when the plugin runs with it.
   *
   * @throws PatchbayError as `set` and `AgentPluginService.configure` do; BAD_INPUT for a host that has to be typed, and
   * for a plugin with no list of hosts
   */
  async addHost(agentId: string, key: string, rule: string): Promise<void> {
    const { permissions, audit, find, save } = this.#options;
    const host = addableHost(rule);
    if (host === null)
      throw new PatchbayError("BAD_INPUT", `${rule} is not added this way. Type it in the settings.`);
    const { row, plugin } = installed(find(agentId, key), key);
    const { configSchema } = plugin.declaration;
    const path = hostSettingOf(configSchema);
    const grants = permissions.of(agentId, plugin);
    const { hosts, refused, reach } = grants.network;
    const isOpen = anyCovers(hosts, nameOf(host), null) || reach === "any";
    const isGranted = isOpen && !anyCovers(refused, nameOf(host), null);
    if (path === null && (reach === "none" || (reach === "any" && isGranted)))
      throw new PatchbayError("BAD_INPUT", `${plugin.displayName} has no list of hosts.`);
    if (!isGranted && reach !== "none") {
      const rest = refused.filter((each) => each !== nameOf(host));
      const network = { reach, hosts: [...new Set([...hosts, nameOf(host)])], refused: rest };
      await this.set(agentId, key, { ...grants, network }, { revision: row?.revision });
    }
    const settings = settingsOf(find(agentId, key).row?.config, plugin);
    const listed = path === null ? [] : listAt(configSchema, settings, path);
    if (path !== null && !listed.includes(host)) {
      const config = withValueAt(settings, path, [...listed, host]) as Record<string, unknown>;
      await save(agentId, key, { config, typed: [], revision: find(agentId, key).row?.revision });
    }
    audit.record({ kind: "agent_plugin.host_added", agentId, pluginKey: key, host });
  }

  /**
   * Switches tools of a plugin on and off for the agent. Needs no restart, and the plugin need not run: what is named may
   * come later.
   *
   * @param wanted `tools`: by the name on the wire, those that change. `others`: whether a tool that nobody names is on;
   * absent: as it was
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, BAD_INPUT when more than {@link mostOffered} would be on,
   * DISK_FULL, WRITE_FAILED
   */
  async switchTools(
    agentId: string,
    key: string,
    wanted: { tools: Record<string, boolean>; others?: boolean | undefined },
  ): Promise<void> {
    const { audit, pool, pins, commit, find, at } = this.#options;
    await at(agentId, key, async () => {
      const { row, plugin } = find(agentId, key);
      const { contributions } = pool.view(agentId, key);
      const listed = contributions?.tools ?? (plugin && pins?.offered(key).tools) ?? [];
      const tools = switched(row?.tools, listed, wanted);
      await commit({ agentId, key, values: new Map(), outdated: [], row: () => ({ tools }) });
      audit.record({ kind: "agent_plugin.tools_switched", agentId, pluginKey: key, ...wanted });
    });
    pool.offersAnew(agentId, key);
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

const nameOf = (host: string) => host.replace(/:\d+$/, "");

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
