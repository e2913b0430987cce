import { fromProblem, PatchbayError, type Plugin, type SetupReason } from "../../contract/index.ts";
import { typedHosts } from "../permissions/own-hosts.ts";
import { givenTo } from "../registry/given-secrets.ts";
import { settingsOf } from "../registry/settings/settings-of.ts";
import type { SetupPlugin, SetupPluginState } from "../runtimes/runtime.ts";
import { resolveReferences } from "../secrets/index.ts";
import { type Profiles, StagedCredentials } from "./persist/plugin-credentials.ts";
import { checkSettings } from "./runner/check-settings.ts";
import type { RunnerOptions, SettingsForm } from "./runner/options.ts";
import type { SetupsOptions } from "./setups-options.ts";

type Sources = Pick<
  SetupsOptions,
  | "runtimes"
  | "checkIntegrity"
  | "agents"
  | "agentPlugins"
  | "settings"
  | "pool"
  | "permissions"
  | "vault"
  | "credentials"
  | "grants"
  | "languages"
>;

interface Place {
  agentId: string;
  plugin: Plugin;
  reason: SetupReason;
}

/** Where the steps of one wizard come from, and what the plugin keeps in profiles meanwhile. */
export class PluginSteps {
  readonly #sources: Sources;
  readonly #place: Place;
  /** What the person typed so far. */
  readonly typed: unknown[] = [];
  #staged: StagedCredentials | null = null;

  constructor(sources: Sources, place: Place) {
    this.#sources = sources;
    this.#place = place;
  }

  /** The plugin's own setup, or its settings as one form. */
  get steps(): RunnerOptions["steps"] {
    const open = (signal: AbortSignal) => this.#open(signal);
    return this.#place.plugin.declaration.hasSetup ? { open } : { form: this.#form(open) };
  }

  /** What the plugin put into its profiles; null when it put nothing. */
  get profiles(): Profiles | null {
    return this.#staged?.changed ?? null;
  }

  #form(open: (signal: AbortSignal) => Promise<SetupPlugin>): SettingsForm {
    const { runtimes, agentPlugins } = this.#sources;
    const { agentId, plugin } = this.#place;
    const canBeAsked = runtimes.some(({ id, openSetup }) => id === plugin.runtime && openSetup);
    return {
      config: () => settingsOf(agentPlugins.get(agentId, plugin.manifestKey)?.config, plugin),
      ready: () => this.#refuseEarly(),
      check: async (config, signal) => {
        if (canBeAsked) await checkSettings(open, config, signal);
      },
    };
  }

  async #open(signal: AbortSignal): Promise<SetupPlugin> {
    const { runtimes, agents, settings, pool, permissions, vault, credentials, grants, languages } =
      this.#sources;
    const { agentId, plugin, reason } = this.#place;
    const key = plugin.manifestKey;
    const runtime = runtimes.find(({ id }) => id === plugin.runtime);
    if (!runtime?.openSetup) {
      throw new PatchbayError(
        "NO_SETUP",
        `Plugins of the kind ${plugin.runtime} have no setup of their own.`,
      );
    }
    await this.#refuseEarly();
    signal.throwIfAborted();
    this.#staged = new StagedCredentials(credentials.read(agentId, key), (value) => vault.hide(value));
    // A host that the person types in a step may be reached: that is what it was typed for.
    const tell = (text: string) => pool.note(agentId, key, "warn", text, "patchbay");
    const setup = await runtime.openSetup(
      {
        agentId,
        plugin,
        reason,
        ...(languages && { language: languages.of(agentId) }),
        config: this.#stored(),
        scopes: grants.scopes(agentId, key),
        limits: settings.get().limits,
        workspace: agents.get(agentId)?.workspace ?? "",
        services: {
          log: (level, text, origin) => pool.note(agentId, key, level, text, origin),
          credentials: this.#staged,
        },
        walls: permissions.walls(agentId, plugin, tell, { typed: () => this.typed }),
        memoryMb: settings.get().hostMemoryMb,
      },
      signal,
    );
    if (plugin.declaration.hasSetup) return remembering(setup, this.typed);
    // The form is the person's, but for the plugin's own defaults in it.
    return {
      ...forwarding(setup),
      check: (config, signal) => {
        this.typed.push(typedHosts(config, plugin.declaration));
        return setup.check(config, signal);
      },
    };
  }

  /** The settings that are stored, with the secrets that the plugin was given. */
  #stored(): Record<string, unknown> {
    const { agentPlugins, vault } = this.#sources;
    const { agentId, plugin } = this.#place;
    const row = agentPlugins.get(agentId, plugin.manifestKey);
    const given = givenTo(row);
    const lookup = (name: string) => (given.has(name) ? vault.resolve(name, agentId) : undefined);
    return resolveReferences(settingsOf(row?.config, plugin), lookup).config;
  }

  /**
   * Refuses at the first step what would fail anyway at the end (a closed vault, changed files), before the person has
   * typed or paired anything.
   */
  async #refuseEarly(): Promise<void> {
    const { plugin } = this.#place;
    const { hasSetup, secretKeys } = plugin.declaration;
    if (hasSetup || secretKeys.length > 0) this.#sources.vault.refuseWhenClosed();
    const changed = await this.#sources.checkIntegrity(plugin);
    if (changed) throw fromProblem(changed);
  }
}

/**
 * The setup, with what the person types into its forms added to a list. What the plugin itself brings, a choice that it
 * offers or the settings that it made, is none of that.
 */
function remembering(setup: SetupPlugin, typed: unknown[]): SetupPlugin {
  let asks: SetupPluginState["kind"] | null = null;
  const seen = (state: SetupPluginState) => {
    asks = state.kind;
    return state;
  };
  return {
    ...forwarding(setup),
    begin: async (input, signal) => {
      const begun = await setup.begin(input, signal);
      return { ...begun, state: seen(begun.state) };
    },
    poll: (sessionId, signal) => setup.poll(sessionId, signal).then(seen),
    submit: (sessionId, input, signal) => {
      if (asks === "awaiting_user_input") typed.push(input);
      return setup.submit(sessionId, input, signal).then(seen);
    },
  };
}

function forwarding(setup: SetupPlugin): SetupPlugin {
  return {
    pid: setup.pid,
    exited: setup.exited,
    begin: (input, signal) => setup.begin(input, signal),
    poll: (sessionId, signal) => setup.poll(sessionId, signal),
    submit: (sessionId, input, signal) => setup.submit(sessionId, input, signal),
    cancel: (sessionId, signal) => setup.cancel(sessionId, signal),
    check: (config, signal) => setup.check(config, signal),
    close: () => setup.close(),
  };
}
