import type { AgentPluginRow } from "../../contract/index.ts";
import type {
  AgentPluginPatch,
  AgentPlugins,
  AgentStore,
  PendingNames,
  RemovedRows,
} from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import { readRecord } from "../setup/persist/record.ts";
import { type NameSources, namesInUse, unsaidNames } from "./names.ts";

export interface CommitStores extends NameSources {
  agents: NameSources["agents"] & Pick<AgentStore, "list" | "wasRemoved">;
  agentPlugins: Pick<AgentPlugins, "get" | "list" | "set" | "amend" | "forget" | "pending" | "notePending">;
  vault: Pick<Vault, "list" | "setAll" | "removeAll" | "removeAgent">;
  /** The agents that were removed and are kept, with their secrets. */
  removed?: Pick<RemovedRows, "hasAgent" | "whole"> | undefined;
}

/** What a save does to one plugin of an agent. */
export interface Change {
  agentId: string;
  key: string;
  /**
   * New secrets: preferred name → value. Each is stored under the preferred name, or that name with a number, whichever
   * is free.
   */
  values: ReadonlyMap<string, string>;
  /** Names of secrets to delete unless some row still refers to them afterwards. */
  outdated: Iterable<string>;
  /**
   * Like `outdated`, but deleted also when the name is the one under which a plugin keeps its profiles without a setup.
   */
  dropped?: Iterable<string>;
  /** The row to write. `names` maps each preferred name to the name under which the value was stored. */
  row(names: ReadonlyMap<string, string>): AgentPluginPatch;
}

/**
 * Saves a change of settings and secrets as one. Order: (1) the names of new and outdated secrets are noted in the row;
 * (2) the new secrets are written in one write, under names that nothing refers to; (3) the row that refers to them is
 * written; (4) the secrets that nothing refers to any more are removed. After a kill, `recover` uses the noted names to
 * remove what is left over. So a kill before step 3 leaves everything as it was, and a kill after it leaves everything
 * as it should be.
 *
 * The caller must run changes of one agent one after the other.
 *
 * @throws PatchbayError STALE_REVISION, VAULT_CLOSED, DISK_FULL, WRITE_FAILED; nothing is changed then
 */
export async function commit(stores: CommitStores, change: Change): Promise<AgentPluginRow> {
  const { agentPlugins, vault } = stores;
  const { agentId, key } = change;
  const left = agentPlugins.pending(agentId, key);
  const names = freeNames(stores, change, new Set(left.written));
  const values = new Map(
    Array.from(change.values, ([wished, value]) => [names.get(wished) ?? wished, value]),
  );
  const stored = storedNames(stores, agentId);
  const written = new Set([...left.written, ...values.keys(), ...(change.dropped ?? [])]);
  const outdated = new Set([...left.outdated, ...[...change.outdated].filter((name) => stored.has(name))]);
  if (written.size + outdated.size > 0) {
    await agentPlugins.notePending(agentId, key, { written: [...written], outdated: [...outdated] });
  }
  try {
    if (values.size > 0) await vault.setAll(values, agentId);
    return await agentPlugins.set(agentId, key, change.row(names));
  } finally {
    // What cannot be removed now stays written down and is removed by the next save or start.
    await sweep(stores, agentId, key).catch(() => {});
  }
}

/**
 * Changes a row otherwise than by an edit of the person, in one write, and removes those of the names that nothing
 * refers to afterwards.
 *
 * @throws PatchbayError DISK_FULL, WRITE_FAILED; nothing is changed then
 */
export async function amendRow(
  stores: CommitStores,
  agentId: string,
  key: string,
  names: Iterable<string>,
  edit: (row: AgentPluginRow) => AgentPluginRow,
): Promise<void> {
  const stored = storedNames(stores, agentId);
  const left = stores.agentPlugins.pending(agentId, key);
  const outdated = [...left.outdated, ...[...names].filter((name) => stored.has(name))];
  const pending = left.written.length + outdated.length > 0 && { pending: { ...left, outdated } };
  await stores.agentPlugins.amend(agentId, key, (row) => row && { ...row, ...edit(row), ...pending });
  await sweep(stores, agentId, key).catch(() => {});
}

/**
 * Removes a row with what its plugin stored, and those of the names that nothing else refers to: first the row, then the
 * names, which stay written down until they are gone.
 *
 * @throws PatchbayError DISK_FULL, WRITE_FAILED; nothing is changed then
 */
export async function removeRow(
  stores: CommitStores,
  agentId: string,
  key: string,
  names: Iterable<string>,
): Promise<void> {
  const stored = storedNames(stores, agentId);
  const left = stores.agentPlugins.pending(agentId, key);
  const outdated = [...left.outdated, ...[...names].filter((name) => stored.has(name))];
  await stores.agentPlugins.forget(agentId, key, { written: left.written, outdated });
  await sweep(stores, agentId, key).catch(() => {});
}

/** Removes what saves have left over that were cut short. Never rejects: what is left over harms nobody. */
export async function recover(stores: CommitStores): Promise<void> {
  await sweepRemovedAgents(stores).catch(() => {});
  for (const { id } of stores.agents.list()) {
    for (const row of stores.agentPlugins.list(id)) {
      if (leftIn(stores, id, row)) await sweep(stores, id, row.pluginKey).catch(() => {});
    }
  }
}

/**
 * Removes the secrets of agents that were removed and are not kept. Secrets of an agent that was never here stay: they
 * are of a backup, restored before its agent was made. None are seen while the vault's file cannot be read.
 *
 * @throws PatchbayError DISK_FULL, WRITE_FAILED
 */
export async function sweepRemovedAgents({
  agents,
  vault,
  removed,
}: Pick<CommitStores, "agents" | "vault" | "removed">): Promise<void> {
  if (removed && !removed.whole) return;
  const owners = new Set(vault.list().map(({ agentId }) => agentId));
  for (const id of owners) {
    if (id !== null && agents.wasRemoved(id) && !removed?.hasAgent(id)) await vault.removeAgent(id);
  }
}

/** Removes the names that stand in a row as being written or outdated and that nothing refers to. */
async function sweep(stores: CommitStores, agentId: string, key: string): Promise<void> {
  const { agentPlugins, vault } = stores;
  const row = agentPlugins.get(agentId, key);
  if (!row) return;
  const left = leftIn(stores, agentId, row);
  if (!left) return;
  const { written, outdated } = left;
  const used = namesInUse(stores, agentId);
  const usedUnsaid = new Set(row.revision === 0 ? [] : unsaidNames(row));
  const gone = [
    ...written.filter((name) => !used.has(name)),
    ...outdated.filter((name) => !used.has(name) && !usedUnsaid.has(name)),
  ];
  await vault.removeAll(gone, agentId);
  await agentPlugins.notePending(agentId, key, null);
}

/** The names that stand in a row as being written or outdated; null when there are none. */
function leftIn({ agentPlugins }: CommitStores, agentId: string, row: AgentPluginRow): PendingNames | null {
  const { written, outdated } = agentPlugins.pending(agentId, row.pluginKey);
  // Older versions of Patchbay noted these names in the record of the open wizard.
  const noted = readRecord(row).open?.writing ?? [];
  if (written.length + outdated.length + noted.length === 0) return null;
  return { written: [...written, ...noted], outdated };
}

/**
 * For each new secret a name that no row refers to and that the vault does not hold yet. Names left by a save that was
 * cut short may be used again.
 */
function freeNames(stores: CommitStores, change: Change, left: ReadonlySet<string>): Map<string, string> {
  const taken = namesInUse(stores, change.agentId);
  for (const name of storedNames(stores, change.agentId)) if (!left.has(name)) taken.add(name);
  const names = new Map<string, string>();
  for (const wished of change.values.keys()) {
    let name = wished;
    for (let next = 2; taken.has(name); next += 1) name = `${wished}_${next}`;
    taken.add(name);
    names.set(wished, name);
  }
  return names;
}

function storedNames({ vault }: CommitStores, agentId: string): Set<string> {
  const own = vault.list().filter((secret) => secret.agentId === agentId);
  return new Set(own.map(({ name }) => name));
}
