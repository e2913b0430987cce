import { create } from "zustand";
import type { Dialog } from "../../contract/agent.ts";
import type {
  AgentPluginState,
  AgentView,
  AppChange,
  AppInfo,
  Approval,
  Holds,
  Job,
  Notice,
  PluginView,
  Session,
  Settings,
  SetupView,
  Snapshot,
} from "../../contract/index.ts";

/** `silent`: the connection stands, and nobody answers on it. */
export type ConnectionState = "connecting" | "live" | "silent" | "lost" | "refused";

/** Whether calls reach the core, soon or late. */
export function isConnected({ connection }: Pick<Mirror, "connection">): boolean {
  return connection === "live" || connection === "silent";
}

/** What the core last said, and whether it can still be trusted to be current. */
export interface Mirror {
  connection: ConnectionState;
  /** When the core was heard last before it fell silent or its connection was lost, in epoch milliseconds. */
  lostAt: number | null;
  ready: boolean;
  info: AppInfo | null;
  settings: Settings | null;
  agents: ReadonlyMap<string, AgentView>;
  plugins: ReadonlyMap<string, PluginView>;
  /** By {@link rowId}. */
  rows: ReadonlyMap<string, AgentPluginState>;
  jobs: ReadonlyMap<string, Job>;
  approvals: ReadonlyMap<string, Approval>;
  dialogs: ReadonlyMap<string, Dialog>;
  notices: ReadonlyMap<string, Notice>;
  /** The wizards that are open, by {@link rowId}. */
  setups: ReadonlyMap<string, SetupView>;
  sessions: ReadonlyMap<string, Session>;
  /** What keeps plugins off that are switched on. */
  holds: Holds;
}

export const useMirror = create<Mirror>()(() => ({
  connection: "connecting",
  lostAt: null,
  ready: false,
  info: null,
  settings: null,
  agents: new Map(),
  plugins: new Map(),
  rows: new Map(),
  jobs: new Map(),
  approvals: new Map(),
  dialogs: new Map(),
  notices: new Map(),
  setups: new Map(),
  sessions: new Map(),
  holds: { safeMode: null, searches: [] },
}));

export function rowId(agentId: string, key: string): string {
  return `${agentId}/${key}`;
}

/** Shows what a call answered without waiting for the live stream to say the same. */
export function putRow(view: AgentPluginState): void {
  useMirror.setState((state) => ({
    rows: new Map(state.rows).set(rowId(view.agentId, view.pluginKey), view),
  }));
}

export function showSnapshot(snapshot: Snapshot): void {
  useMirror.setState({
    ready: true,
    info: snapshot.info,
    settings: snapshot.settings,
    agents: byKey(snapshot.agents, (agent) => agent.id),
    plugins: byKey(snapshot.plugins, (plugin) => plugin.manifestKey),
    rows: byKey(snapshot.agentPlugins, (row) => rowId(row.agentId, row.pluginKey)),
    jobs: byKey(snapshot.jobs, (job) => job.id),
    approvals: byKey(snapshot.approvals, (approval) => approval.id),
    dialogs: byKey(snapshot.dialogs, (dialog) => dialog.id),
    notices: byKey(snapshot.notices, (notice) => notice.id),
    holds: snapshot.holds,
    setups: byKey(snapshot.setups, (setup) => rowId(setup.agentId, setup.pluginKey)),
  });
}

function byKey<T>(list: readonly T[], key: (item: T) => string): Map<string, T> {
  return new Map(list.map((item) => [key(item), item]));
}

/** Applies a batch of changes as one new state: whatever the batch holds, a screen is drawn once. */
export function applyChanges(changes: readonly AppChange[]): void {
  if (changes.length === 0) return;
  useMirror.setState((state) => {
    const draft = new Draft(state);
    for (const change of changes) draft.apply(change);
    return draft.result;
  });
}

type MapField = {
  [K in keyof Mirror]: Mirror[K] extends ReadonlyMap<string, unknown> ? K : never;
}[keyof Mirror];
type ItemOf<K extends MapField> = Mirror[K] extends ReadonlyMap<string, infer T> ? T : never;

/** Copies a map on its first change only. */
class Draft {
  readonly result: Partial<Mirror> = {};
  private readonly state: Mirror;
  private readonly copies = new Map<MapField, Map<string, unknown>>();

  constructor(state: Mirror) {
    this.state = state;
  }

  apply(change: AppChange): void {
    switch (change.type) {
      case "settings":
        this.result.settings = change.settings;
        return;
      case "agent":
        this.put("agents", change.agent.id, change.agent);
        return;
      case "agent_removed":
        this.drop("agents", change.agentId);
        return;
      case "plugin":
        this.put("plugins", change.plugin.manifestKey, change.plugin);
        return;
      case "plugin_removed":
        this.drop("plugins", change.key);
        return;
      case "agent_plugin":
        this.put("rows", rowId(change.row.agentId, change.row.pluginKey), change.row);
        return;
      case "agent_plugin_removed":
        this.drop("rows", rowId(change.agentId, change.key));
        return;
      case "job":
        this.put("jobs", change.job.id, change.job);
        return;
      case "job_removed":
        this.drop("jobs", change.id);
        return;
      case "approval":
        this.put("approvals", change.approval.id, change.approval);
        return;
      case "dialog":
        this.put("dialogs", change.dialog.id, change.dialog);
        return;
      case "dialog_closed":
        this.drop("dialogs", change.id);
        return;
      case "setup":
        this.put("setups", rowId(change.setup.agentId, change.setup.pluginKey), change.setup);
        return;
      case "setup_closed":
        this.drop("setups", rowId(change.agentId, change.key));
        return;
      case "session":
        this.put("sessions", change.session.id, change.session);
        return;
      case "notice":
        this.put("notices", change.notice.id, change.notice);
        return;
      case "holds":
        this.result.holds = change.holds;
        return;
      case "vault":
        if (this.state.info) this.result.info = { ...this.state.info, vault: change.vault };
        return;
    }
  }

  private put<K extends MapField>(field: K, key: string, item: ItemOf<K>): void {
    this.copy(field).set(key, item);
  }

  private drop(field: MapField, key: string): void {
    this.copy(field).delete(key);
  }

  private copy(field: MapField): Map<string, unknown> {
    const known = this.copies.get(field);
    if (known) return known;
    const copy = new Map<string, unknown>(this.state[field]);
    this.copies.set(field, copy);
    Object.assign(this.result, { [field]: copy });
    return copy;
  }
}
