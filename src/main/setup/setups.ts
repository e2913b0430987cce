import { EventEmitter } from "node:events";
import {
  PatchbayError,
  type Plugin,
  type Problem,
  type SetupAnswer,
  type SetupReason,
  type SetupView,
} from "../../contract/index.ts";
import { systemClock } from "../base/clock.ts";
import { KeyedQueue } from "../base/serial-queue.ts";
import { readRecord } from "./persist/record.ts";
import { PluginSteps } from "./plugin-steps.ts";
import { SetupRunner } from "./runner.ts";

import type { SetupsOptions } from "./setups-options.ts";

export interface BeginRequest {
  reason?: SetupReason;
  input?: Record<string, unknown>;
  again?: boolean;
}

/** The wizards that are open: one for each (agent, plugin). */
export class Setups {
  readonly changes = new EventEmitter<{
    setup: [agentId: string, key: string];
    closed: [agentId: string, key: string, id: string];
  }>();
  readonly #options: SetupsOptions;
  readonly #sessions = new Map<string, SetupRunner>();
  /** What is noted on one row about wizards is noted in turn: a wizard that ends early is forgotten after it was noted. */
  readonly #notes = new KeyedQueue();
  readonly #agentRemoved = (agentId: string) => void this.#closeWhere((view) => view.agentId === agentId);
  readonly #pluginRemoved = (key: string) => void this.#closeWhere((view) => view.pluginKey === key);
  #closed = false;

  constructor(options: SetupsOptions) {
    this.#options = options;
    options.agents.changes.on("removed", this.#agentRemoved);
    options.registry.changes.on("removed", this.#pluginRemoved);
  }

  /** What was open when the app ended last is offered again; what cannot be taken up says so. */
  async recover(): Promise<void> {
    const { agents, agentPlugins, registry } = this.#options;
    for (const { id: agentId } of agents.list()) {
      for (const row of agentPlugins.list(agentId)) {
        const { open } = readRecord(row);
        const plugin = registry.get(row.pluginKey);
        if (!open) continue;
        if (plugin) this.#resume(agentId, plugin, open.reason);
        else await this.#forgetOpen(agentId, row.pluginKey);
      }
    }
  }

  list(): SetupView[] {
    return [...this.#sessions.values()].map((session) => this.#view(session));
  }

  get(agentId: string, key: string): SetupView | null {
    const session = this.#sessions.get(placeOf(agentId, key));
    return session ? this.#view(session) : null;
  }

  /**
   * Opens the wizard, or answers with the one that is open. Failures of the plugin are steps.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, NO_SETUP, SHUTTING_DOWN, DISK_FULL, WRITE_FAILED
   */
  async begin(agentId: string, key: string, request: BeginRequest = {}): Promise<SetupView> {
    const plugin = this.#find(agentId, key);
    const open = this.#sessions.get(placeOf(agentId, key));
    if (open && !open.isDone && !request.again) return this.#view(open);
    if (open) await this.#close(open);
    // Patchbay may be closing by now, and somebody may have been faster.
    this.#find(agentId, key);
    const other = this.#sessions.get(placeOf(agentId, key));
    if (other) return this.#view(other);
    const reason = request.reason ?? this.#reason(agentId, key);
    const session = this.#create(agentId, plugin, reason, request.input ?? {});
    try {
      await this.#notes.run(placeOf(agentId, key), () => this.#remember(agentId, key, session, reason));
    } catch (error) {
      await this.#close(session);
      throw error;
    }
    this.#options.audit.record({ kind: "setup.started", agentId, pluginKey: key, reason });
    await session.begin();
    return this.#view(session);
  }

  /** @throws PatchbayError SETUP_NOT_FOUND, SETUP_STALE, BAD_INPUT, CONFIG_INVALID */
  async submit(
    agentId: string,
    key: string,
    sessionId: string,
    stepId: string,
    answer: SetupAnswer,
  ): Promise<SetupView> {
    const session = this.#session(agentId, key, sessionId);
    await session.submit(stepId, answer);
    return this.#view(session);
  }

  /** @throws PatchbayError SETUP_NOT_FOUND */
  async poll(agentId: string, key: string, sessionId: string): Promise<SetupView> {
    const session = this.#session(agentId, key, sessionId);
    await session.poll();
    return this.#view(session);
  }

  /** Does nothing when it is over. */
  async cancel(agentId: string, key: string, sessionId: string): Promise<void> {
    const session = this.#sessions.get(placeOf(agentId, key));
    if (session?.id === sessionId) await this.#close(session);
  }

  /** Ends what runs; the wizards that were open are offered again at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#options.agents.changes.off("removed", this.#agentRemoved);
    this.#options.registry.changes.off("removed", this.#pluginRemoved);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    this.#sessions.clear();
    this.changes.removeAllListeners();
  }

  #find(agentId: string, key: string): Plugin {
    if (this.#closed) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
    if (!this.#options.agents.get(agentId)) {
      throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent with the id ${agentId}.`);
    }
    const plugin = this.#options.registry.get(key);
    if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed.`);
    const { hasSetup, configSchema, secretKeys } = plugin.declaration;
    if (hasSetup || configSchema || secretKeys.length > 0) return plugin;
    throw new PatchbayError("NO_SETUP", `${plugin.displayName} has nothing to set up.`);
  }

  #session(agentId: string, key: string, sessionId: string): SetupRunner {
    const session = this.#sessions.get(placeOf(agentId, key));
    if (session?.id === sessionId) return session;
    throw new PatchbayError("SETUP_NOT_FOUND", "That setup is over.");
  }

  #reason(agentId: string, key: string): SetupReason {
    const row = this.#options.agentPlugins.get(agentId, key);
    const refused = "CREDENTIALS_REFUSED";
    const { reason } = this.#options.pool.view(agentId, key);
    if (row?.lastError?.code === refused || reason?.code === refused) return "sign_in_again";
    return readRecord(row).finished ? "reconfigure" : "first";
  }

  #resume(agentId: string, plugin: Plugin, reason: SetupReason): void {
    const restartable = !plugin.declaration.hasSetup;
    const problem = new PatchbayError(
      "SETUP_INTERRUPTED",
      `The setup of ${plugin.displayName} was interrupted when Patchbay was closed.`,
    ).toProblem();
    const session = this.#create(agentId, plugin, reason, {}, restartable ? undefined : problem);
    if (restartable) void session.begin();
  }

  #create(
    agentId: string,
    plugin: Plugin,
    reason: SetupReason,
    input: Record<string, unknown>,
    interrupted?: Problem,
  ): SetupRunner {
    const { owner, vault, settings, signIn, openUrl } = this.#options;
    const key = plugin.manifestKey;
    const source = new PluginSteps(this.#options, { agentId, plugin, reason });
    let settled = Promise.resolve();
    const session: SetupRunner = new SetupRunner(
      {
        agentId,
        plugin,
        reason,
        input,
        steps: source.steps,
        save: async (outcome) => {
          const { profiles: credentials } = source;
          ({ settled } = await owner.finishSetup({ agentId, plugin, reason, outcome, credentials }));
        },
        start: () => settled,
        signIn,
        openUrl,
        hide: (value) => vault.hide(value),
        changed: () => this.#changed(session),
        forgotten: () => void this.#close(session),
        clock: this.#options.clock ?? systemClock,
        limitMs: settings.get().limits.startMs,
      },
      interrupted,
    );
    this.#sessions.set(placeOf(agentId, key), session);
    this.#changed(session);
    return session;
  }

  /** Notes on the row that a wizard is open, so that a start of the app can offer it again. */
  async #remember(agentId: string, key: string, session: SetupRunner, reason: SetupReason): Promise<void> {
    const { agentPlugins } = this.#options;
    const row = agentPlugins.get(agentId, key);
    const { finished, open: left } = readRecord(row);
    const { id, startedAt: since } = session;
    const onlyForThis = row === undefined || left?.onlyForThis === true;
    const setupState = { finished, open: { id, reason, kind: "progress", since, onlyForThis, writing: [] } };
    if (row) agentPlugins.report(agentId, key, { setupState });
    else await agentPlugins.set(agentId, key, { setupState });
  }

  /** Never rejects: what still says that a wizard is open is looked at again at the next start. */
  async #forgetOpen(agentId: string, key: string): Promise<void> {
    const { agents, agentPlugins, owner } = this.#options;
    const row = agents.get(agentId) && agentPlugins.get(agentId, key);
    const { open, finished } = readRecord(row);
    if (!row || !open) return;
    const untouched = !row.enabled && Object.keys(row.config).length === 0 && finished === null;
    if (open.onlyForThis && untouched) await owner.forgetUntouched(agentId, key).catch(() => {});
    else agentPlugins.report(agentId, key, { setupState: finished ? { finished, open: null } : null });
  }

  async #close(session: SetupRunner): Promise<void> {
    const { agentId, pluginKey, id } = session.view();
    const place = placeOf(agentId, pluginKey);
    if (this.#sessions.get(place) !== session) return;
    this.#sessions.delete(place);
    await session.close();
    if (!session.isSaved) {
      this.#options.audit.record({ kind: "setup.cancelled", agentId, pluginKey });
      await this.#notes.run(place, async () => {
        if (!this.#sessions.has(place)) await this.#forgetOpen(agentId, pluginKey);
      });
    }
    this.changes.emit("closed", agentId, pluginKey, id);
  }

  async #closeWhere(which: (view: SetupView) => boolean): Promise<void> {
    const found = [...this.#sessions.values()].filter((session) => which(session.view()));
    await Promise.all(found.map((session) => this.#close(session)));
  }

  #changed(session: SetupRunner): void {
    const { agentId, pluginKey } = session.view();
    if (this.#sessions.get(placeOf(agentId, pluginKey)) !== session) return;
    const { finished, open } = readRecord(this.#options.agentPlugins.get(agentId, pluginKey));
    const { step } = session.view();
    if (open && open.kind !== step.kind) {
      const title = step.title && { title: step.title };
      const setupState = { finished, open: { ...open, ...title, kind: step.kind } };
      this.#options.agentPlugins.report(agentId, pluginKey, { setupState });
    }
    this.changes.emit("setup", agentId, pluginKey);
  }

  /** Nothing that a plugin says in a wizard shows a secret that is known. */
  #view(session: SetupRunner): SetupView {
    const view = session.view();
    const { step } = view;
    const { vault } = this.#options;
    if (step.kind === "error") return { ...view, step: { ...step, problem: vault.redactDeep(step.problem) } };
    if (step.kind === "external") return { ...view, step: { ...step, poll: vault.redactDeep(step.poll) } };
    return view;
  }
}

function placeOf(agentId: string, key: string): string {
  return `${agentId} ${key}`;
}
