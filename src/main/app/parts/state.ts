import type { Problem } from "../../../contract/index.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { Platform } from "../../platform/platform.ts";
import {
  AgentPlugins,
  AgentStore,
  KeptRows,
  PluginRegistry,
  RemovedRows,
  SetAsideRows,
  SettingsStore,
} from "../../registry/index.ts";
import { Pins } from "../../registry/pins/pins.ts";
import { withoutForeignParts, withSettingsPaths } from "../../runtimes/native/older-rows.ts";
import { IntegrityKey, Vault } from "../../secrets/index.ts";
import {
  AuditLog,
  type IndexEvent,
  type Lease,
  openStorage,
  type RowSetAside,
  type Storage,
  type StoreEngine,
} from "../../store/index.ts";

/** Everything that is kept from one start to the next. */
export interface State {
  storage: Storage;
  lease: Lease;
  settings: SettingsStore;
  vault: Vault;
  audit: AuditLog;
  registry: PluginRegistry;
  agents: AgentStore;
  agentPlugins: AgentPlugins;
  /** What plugins say of what they offer, as the person agreed to it. */
  pins: Pins;
  /** What somebody else changed, and the rows as a whole. */
  setAside: SetAsideRows;
  kept: KeptRows;
  /** What was removed and is kept for a while. */
  removed: RemovedRows;
  isFirstStart: boolean;
}

/**
 * Opens the store and everything that is read from it. The lease is released last, so that nobody else writes while
 * this app still does.
 *
 * @throws PatchbayError HOME_IN_USE, STATE_FILE_NEWER, READ_FAILED
 */
export async function openState(
  { store, keychain }: Platform,
  engine: StoreEngine | undefined,
  stack: AsyncDisposableStack,
  onNotice: (problem: Problem) => void,
): Promise<State> {
  const storage = openStorage(store, { engine, onNotice });
  const lease = await storage.leases.acquire();
  stack.defer(() => lease.release());
  const isFirstStart = !storage.agents.any();
  const settings = new SettingsStore({ storage });
  const passphrase = process.env.PATCHBAY_PASSPHRASE;
  const vault = await Vault.open({ storage, keychain, passphrase, onNotice });
  stack.defer(() => vault.close());
  const integrity = await IntegrityKey.open(vault);
  const redact = (value: unknown) => vault.redactDeep(value);
  const audit = new AuditLog({ storage, redact, onNotice, signer: integrity });
  if (passphrase !== undefined && !vault.status().open && vault.failedUnlocks > 0) {
    audit.record({ kind: "vault.unlock_failed", code: "PASSPHRASE_WRONG", failures: vault.failedUnlocks });
  }
  stack.defer(() => audit.close());
  stack.defer(() => settings.close());
  const setAside = new SetAsideRows({ storage, signer: integrity, audit, onNotice });
  stack.defer(() => setAside.close());
  const removed = new RemovedRows({ storage, signer: integrity, onNotice });
  stack.defer(() => removed.close());
  const guard = {
    signer: integrity,
    onSetAside: (found: RowSetAside) => setAside.add(found),
    onIndex: followIndex(audit, onNotice),
  };
  const registry = new PluginRegistry({ storage, upgrade: withSettingsPaths, guard });
  stack.defer(() => registry.close());
  const agents = new AgentStore({ storage, guard });
  stack.defer(() => agents.close());
  const pins = new Pins({
    storage,
    signer: integrity,
    registry,
    redact: (text) => vault.redact(text),
    audit,
    onNotice,
  });
  stack.defer(() => pins.close());
  const agentPlugins = new AgentPlugins({
    storage,
    onNotice,
    guard,
    upgrade: withoutForeignParts((key) => registry.get(key)?.runtime),
  });
  stack.defer(() => agentPlugins.close());
  const kept = new KeptRows({ registry, agents, agentPlugins, setAside, removed, audit });
  await judge({ integrity, audit, kept, isFirstStart, onNotice });
  setAside.remind();
  const queue = new SerialQueue();
  vault.changes.on(
    "status",
    () => void queue.run(() => judgeAgain({ vault, integrity, audit, kept, pins })).catch(() => {}),
  );
  stack.defer(() => queue.idle());
  return {
    storage,
    lease,
    settings,
    vault,
    audit,
    registry,
    agents,
    agentPlugins,
    pins,
    setAside,
    kept,
    removed,
    isFirstStart,
  };
}

/**
 * Names the number of the index of newest rows in the audit log, once a start and once an hour: with it an older index
 * that was put back together with its rows is found. Says it when the index is not the one that was written.
 */
function followIndex(audit: AuditLog, onNotice: (problem: Problem) => void): (event: IndexEvent) => void {
  let namedAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.kind !== "written") {
      audit.record({ kind: "state.index_lost", how: event.kind });
      onNotice(event.kind === "gone" ? indexGone : indexChanged);
    } else if (performance.now() - namedAt > INDEX_NAMED_AFTER_MS) {
      namedAt = performance.now();
      audit.record({ kind: "state.indexed", index: event.n });
    }
  };
}

/** Milliseconds between two lines of the audit log that name the index. */
const INDEX_NAMED_AFTER_MS = 60 * 60 * 1_000;

interface Judged {
  integrity: IntegrityKey;
  audit: AuditLog;
  kept: KeptRows;
}

/** At the start: rows were judged when they were read. The first start with signatures signs everything that is there. */
async function judge({
  integrity,
  audit,
  kept,
  isFirstStart,
  onNotice,
}: Judged & { isFirstStart: boolean; onNotice(problem: Problem): void }): Promise<void> {
  if (integrity.mode === "adopting") {
    kept.readAll();
    audit.record({ kind: "state.adopted" });
    if (!isFirstStart) onNotice(adopted);
    await audit.seal();
    await integrity.adopted();
  }
  await kept.switchOff();
}

/** After the vault was opened, or begun anew: then the person said that what is there is to be taken as it is. */
async function judgeAgain({
  vault,
  integrity,
  audit,
  kept,
  pins,
}: Judged & { vault: Vault; pins: Pins }): Promise<void> {
  const before = integrity.mode;
  await integrity.look();
  if (before !== "closed" || integrity.mode === "closed" || !vault.status().open) return;
  const isAnew = integrity.mode === "adopting";
  kept.review(isAnew);
  pins.judgeAgain(isAnew);
  if (isAnew) {
    audit.record({ kind: "state.adopted" });
    await audit.sealAnew();
    await integrity.adopted();
  }
  await kept.switchOff();
}

const indexHelp =
  "What plugins and agents may do was signed by Patchbay, but may be older than it should. Look at their permissions and rules.";
const indexGone: Problem = {
  code: "STATE_TAMPERED",
  message: "Something other than Patchbay removed the list of the newest rows (newest-rows.json).",
  help: indexHelp,
};
const indexChanged: Problem = {
  code: "STATE_TAMPERED",
  message: "Something other than Patchbay changed the list of the newest rows (newest-rows.json).",
  help: indexHelp,
};

const adopted: Problem = {
  code: "STATE_TAMPERED",
  message: "From now on Patchbay signs what it keeps. What was there has been taken as it is.",
  help: "This is said once, after an update. If it comes again, somebody removed the signatures.",
};
