import type {
  AgentPluginState,
  AppChange,
  Approval,
  Dialog,
  InstanceState,
  SetupView,
  Snapshot,
} from "../../../contract/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ShellWords } from "./word-lists.ts";

interface NeedsYouOptions {
  notify: Platform["notify"];
  /** True while the person is looking at Patchbay; no notification is needed then, because the screen shows it. */
  isLookedAt(): boolean;
  words(): ShellWords;
}

/** Tells the person, outside of the window, what waits for them: a question, a setup that ran out, a plugin that failed. */
export class NeedsYou {
  readonly #options: NeedsYouOptions;
  readonly #agents = new Map<string, string>();
  readonly #plugins = new Map<string, string>();
  readonly #states = new Map<string, InstanceState>();
  readonly #asked = new Set<string>();

  constructor(options: NeedsYouOptions) {
    this.#options = options;
  }

  /** Takes the present state as known, so that only what happens later is notified. */
  begin(snapshot: Snapshot): void {
    for (const agent of snapshot.agents) this.#agents.set(agent.id, agent.name);
    for (const plugin of snapshot.plugins) this.#plugins.set(plugin.manifestKey, plugin.displayName);
    for (const row of snapshot.agentPlugins) this.#states.set(idOf(row), row.instance.state);
    for (const { id } of [...snapshot.approvals, ...snapshot.dialogs, ...snapshot.setups])
      this.#asked.add(id);
  }

  take(change: AppChange): void {
    if (change.type !== "put") return;
    switch (change.collection) {
      case "agents":
        this.#agents.set(change.item.id, change.item.name);
        return;
      case "plugins":
        this.#plugins.set(change.item.manifestKey, change.item.displayName);
        return;
      case "approvals":
        this.#approval(change.item);
        return;
      case "dialogs":
        this.#question(change.item);
        return;
      case "agentPlugins":
        this.#plugin(change.item);
        return;
      case "setups":
        this.#setup(change.item);
        return;
      default:
        return;
    }
  }

  #approval(approval: Approval): void {
    if (approval.status !== "waiting" || !this.#isNew(approval.id)) return;
    const { words } = this.#options;
    const title = words().asksApproval(this.#nameOf(approval.agentId), approval.title);
    this.#tell(title, words().asksApprovalText, `/agents/${approval.agentId}/approvals`);
  }

  #question({ id, agentId, pluginKey, question }: Dialog): void {
    if (!this.#isNew(id)) return;
    const title = this.#options.words().asksQuestion(this.#pluginName(pluginKey), this.#nameOf(agentId));
    this.#tell(title, question.message, `/agents/${agentId}/approvals`);
  }

  #plugin(row: AgentPluginState): void {
    const before = this.#states.get(idOf(row));
    const { state, nextRestartAt } = row.instance;
    this.#states.set(idOf(row), state);
    if (before === state || before === undefined) return;
    const words = this.#options.words();
    const names = [this.#pluginName(row.pluginKey), this.#nameOf(row.agentId)] as const;
    const route = `/agents/${row.agentId}/plugins/${row.pluginKey}/overview`;
    // A failed plugin that will be restarted by itself needs nobody.
    if (state === "failed" && nextRestartAt === null)
      this.#tell(words.failed(...names), words.openToSeeWhy, route);
    else if (state === "quarantined") this.#tell(words.quarantined(...names), words.openToSeeWhy, route);
    else if (state === "needs_setup" && (before === "running" || before === "degraded"))
      this.#tell(words.setupAgain(...names), words.openToSeeWhy, route);
  }

  #setup({ id, agentId, pluginKey, step }: SetupView): void {
    if (step.kind !== "error" || step.problem.code !== "SETUP_EXPIRED" || !this.#isNew(`${id} expired`))
      return;
    const words = this.#options.words();
    const route = `/agents/${agentId}/plugins/${pluginKey}`;
    this.#tell(
      words.setupExpired(this.#pluginName(pluginKey), this.#nameOf(agentId)),
      words.openToSeeWhy,
      route,
    );
  }

  #nameOf(agentId: string): string {
    return this.#agents.get(agentId) ?? agentId;
  }

  #pluginName(key: string): string {
    return this.#plugins.get(key) ?? key;
  }

  #isNew(id: string): boolean {
    if (this.#asked.has(id)) return false;
    this.#asked.add(id);
    return true;
  }

  #tell(title: string, body: string, route: string): void {
    if (!this.#options.isLookedAt()) this.#options.notify({ title, body, route });
  }
}

function idOf(row: Pick<AgentPluginState, "agentId" | "pluginKey">): string {
  return `${row.agentId}/${row.pluginKey}`;
}
