import type { AgentPluginRow } from "../../contract/index.ts";
import type { AgentPluginPatch, AgentPlugins, PendingNames } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import { readRecord } from "../setup/persist/record.ts";
import { type NameSources, namesInUse, unsaidNames } from "./names.ts";

export interface CommitStores extends NameSources {
  agents: NameSources["agents"] & { list(): readonly { id: string }[] };
  agentPlugins: Pick<AgentPlugins, "get" | "list" | "set" | "forget" | "pending" | "notePending">;
  vault: Pick<Vault, "list" | "setAll" | "removeAll">;
}

/** What a save does to one plugin of an agent. */
export interface Change {
  agentId: string;
  key: string;
  /** New secrets by the name that each would best have; each gets one that nothing refers to. */
  values: ReadonlyMap<string, string>;
  /** Names that go unless something still refers to them afterwards. */
  outdated: Iterable<string>;
  /** As `outdated`, and even when the plugin would find them by the name that it uses without a setup. */
  dropped?: Iterable<string>;
  /** The row to be. `names` says what each value is stored under. */
  row(names: ReadonlyMap<string, string>): AgentPluginPatch;
}

/**
 * Keeps a change of settings and secrets as one. The new secrets are written first, in one write and under names that nothing
 * refers to; then the row that refers to them, in one write; then the secrets that nothing refers to any more are removed.
 * The names of both stand in the row before anything is written, so that a start after a kill (`recover`) removes what is
 * left over. Killed before the row is written, everything is as it was; after it, everything is as it should be.
 *
 * Changes of one agent must come one after the other: who calls sees to it.
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
  for (const { id } of stores.agents.list()) {
    for (const row of stores.agentPlugins.list(id)) {
      if (leftIn(stores, id, row)) await sweep(stores, id, row.pluginKey).catch(() => {});
    }
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
  // A Patchbay of before noted them with the wizard that was open.
  const noted = readRecord(row).open?.writing ?? [];
  if (written.length + outdated.length + noted.length === 0) return null;
  return { written: [...written, ...noted], outdated };
}

/**
 * For each value a name that nothing refers to and under which nothing lies, other than what a save that was cut short
 * has left.
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
