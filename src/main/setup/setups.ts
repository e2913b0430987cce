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
import { readRecord } from "./persist/record.ts";
import { PluginSteps } from "./plugin-steps.ts";
import { SetupRunner } from "./runner.ts";

import type { SetupsOptions } from "./setups-options.ts";

export interface BeginRequest {
  reason?: SetupReason;
  input?: Record<string, unknown>;
  again?: boolean;
}

/** A wizard, from its opening until its row no longer says that it is open. */
interface OpenSetup {
  session: SetupRunner;
  /** Settles when the row says that the wizard is open, or that could not be written. */
  noted: Promise<void>;
  /** Resolves when nothing is left of it; null while nobody ends it. */
  ended: Promise<void> | null;
}

/** The open wizards: one for each (agent, plugin). One that is being ended stays listed until its row is cleared. */
export class Setups {
  readonly changes = new EventEmitter<{
    setup: [agentId: string, key: string];
    closed: [agentId: string, key: string, id: string];
  }>();
  readonly #options: SetupsOptions;
  readonly #open = new Map<string, OpenSetup>();
  readonly #agentRemoved = (agentId: string) => void this.#closeWhere((view) => view.agentId === agentId);
  readonly #pluginRemoved = (key: string) => void this.#closeWhere((view) => view.pluginKey === key);
  #closed = false;

  constructor(options: SetupsOptions) {
    this.#options = options;
    options.agents.changes.on("removed", this.#agentRemoved);
    options.registry.changes.on("removed", this.#pluginRemoved);
  }

  /** Offers wizards again that were open when the app ended; one that cannot be continued shows a problem. */
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
    return [...this.#open.values()].map(({ session }) => this.#view(session));
  }

  get(agentId: string, key: string): SetupView | null {
    const open = this.#open.get(placeOf(agentId, key));
    return open ? this.#view(open.session) : null;
  }

  /**
   * Opens the wizard, or answers with the one that is open. Failures of the plugin are steps.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, NO_SETUP, SHUTTING_DOWN, DISK_FULL, WRITE_FAILED
   */
  async begin(agentId: string, key: string, request: BeginRequest = {}): Promise<SetupView> {
    const plugin = this.#find(agentId, key);
    const place = placeOf(agentId, key);
    const first = this.#open.get(place);
    for (let open = first; open; open = this.#open.get(place)) {
      const { session, ended } = open;
      if (!ended && !session.isDone && !(request.again && open === first)) return this.#view(session);
      await this.#close(open);
      // Checked again after the wait: Patchbay may be closing by now, or the agent or plugin may be gone.
      this.#find(agentId, key);
    }
    const reason = request.reason ?? this.#reason(agentId, key);
    const open = this.#create(agentId, plugin, reason, request.input ?? {});
    const { session } = open;
    open.noted = this.#remember(agentId, key, session, reason);
    try {
      await open.noted;
    } catch (error) {
      await this.#close(open);
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
    const open = this.#open.get(placeOf(agentId, key));
    if (open?.session.id === sessionId) await this.#close(open);
  }

  /** Ends what runs; the wizards that were open are offered again at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#options.agents.changes.off("removed", this.#agentRemoved);
    this.#options.registry.changes.off("removed", this.#pluginRemoved);
    await Promise.all([...this.#open.values()].map(({ session, ended }) => ended ?? session.close()));
    this.#open.clear();
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
    const session = this.#open.get(placeOf(agentId, key))?.session;
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
    const { session } = this.#create(agentId, plugin, reason, {}, restartable ? undefined : problem);
    if (restartable) void session.begin();
  }

  #create(
    agentId: string,
    plugin: Plugin,
    reason: SetupReason,
    input: Record<string, unknown>,
    interrupted?: Problem,
  ): OpenSetup {
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
          const { profiles: credentials, typed } = source;
          ({ settled } = await owner.finishSetup({ agentId, plugin, reason, outcome, typed, credentials }));
        },
        start: () => settled,
        signIn,
        openUrl,
        hide: (value) => vault.hide(value),
        changed: () => this.#changed(session),
        forgotten: () => void this.#close(open),
        clock: this.#options.clock ?? systemClock,
        limitMs: settings.get().limits.startMs,
      },
      interrupted,
    );
    const open: OpenSetup = { session, noted: Promise.resolve(), ended: null };
    this.#open.set(placeOf(agentId, key), open);
    this.#changed(session);
    return open;
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

  /** Removes the note that a wizard is open. Never rejects: a note that stays is looked at again at the next start. */
  async #forgetOpen(agentId: string, key: string): Promise<void> {
    const { agents, agentPlugins, owner } = this.#options;
    const row = agents.get(agentId) && agentPlugins.get(agentId, key);
    const { open, finished } = readRecord(row);
    if (!row || !open) return;
    const untouched = !row.enabled && Object.keys(row.config).length === 0 && finished === null;
    if (open.onlyForThis && untouched) {
      try {
        await owner.forgetUntouched(agentId, key);
      } catch {
        return;
      }
    }
    // The row stays when the person has meanwhile decided something about the plugin.
    const left = readRecord(agents.get(agentId) && agentPlugins.get(agentId, key));
    if (!left.open) return;
    const setupState = left.finished ? { finished: left.finished, open: null } : null;
    agentPlugins.report(agentId, key, { setupState });
  }

  /** Ends a wizard, once: a second caller waits for the same end. Never rejects. */
  #close(open: OpenSetup): Promise<void> {
    open.ended ??= this.#end(open);
    return open.ended;
  }

  async #end({ session, noted }: OpenSetup): Promise<void> {
    const { agentId, pluginKey, id } = session.view();
    await session.close();
    if (!session.isSaved) {
      this.#options.audit.record({ kind: "setup.cancelled", agentId, pluginKey });
      // The note about the open wizard may still be being written; removed before that, it would come back.
      await noted.catch(() => {});
      await this.#forgetOpen(agentId, pluginKey);
    }
    this.#open.delete(placeOf(agentId, pluginKey));
    this.changes.emit("closed", agentId, pluginKey, id);
  }

  async #closeWhere(which: (view: SetupView) => boolean): Promise<void> {
    const found = [...this.#open.values()].filter(({ session }) => which(session.view()));
    await Promise.all(found.map((open) => this.#close(open)));
  }

  #changed(session: SetupRunner): void {
    const { agentId, pluginKey } = session.view();
    if (this.#open.get(placeOf(agentId, pluginKey))?.session !== session) return;
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
