import type { PluginManifest } from "../manifest.ts";
import type {
  ChannelSetup,
  ChannelSetupContext,
  CredentialStore,
  OAuthTokens,
  SetupReason,
  SetupState,
} from "../setup.ts";

/** Plays the person, their phone and the provider in a setup that is tested. */
export interface SetupScript {
  /** The input for `begin`. */
  input?: Record<string, unknown>;
  reason?: SetupReason;
  /** What the person chose for chats. Default: `en`. */
  language?: string;
  /** Fills in a form or chooses from a menu. */
  answer?(state: SetupState): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Does what the person would do outside of Patchbay: scans the code, opens the page. Called before each poll. */
  outside?(state: SetupState, polls: number): void | Promise<void>;
  /** The tokens that the sign-in returns. */
  tokens?: OAuthTokens;
  /**
   * Most states of one run. With more, the setup is taken to repeat itself for ever, and the run fails. Default: 50.
   */
  mostStates?: number;
}

export interface SetupRun {
  /** Every state that was shown, in order. */
  states: SetupState[];
  /** The settings of `done`, or null when it ended with an error. */
  config: Record<string, unknown> | null;
  /** The values that the setup put into the credential store, by profile. */
  credentials: Record<string, Record<string, string>>;
  log: string[];
}

/** Runs the setup of a plugin from its first state to its last. Rejects as the plugin does. */
export async function runSetup(manifest: PluginManifest, script: SetupScript = {}): Promise<SetupRun> {
  const walk = await Walk.begin(manifest, script);
  while (!walk.isOver) await walk.next();
  return walk.run;
}

/**
 * Runs the setup along every path that a person can take: once to its end, and once for each state on the way, where it
 * is cancelled twice.
 *
 * @returns the problems, as sentences; empty when there are none
 */
export async function checkSetup(manifest: PluginManifest, script: SetupScript = {}): Promise<string[]> {
  const problems: string[] = [];
  const whole = await Walk.begin(manifest, script);
  while (!whole.isOver) {
    problems.push(...faultsOf(whole.state, whole.setup));
    await whole.next();
  }
  if (whole.run.config === null) problems.push(`It ends with an error: ${messageOf(whole.state)}`);
  for (let steps = 0; steps < whole.run.states.length - 1; steps += 1) {
    const walk = await Walk.begin(manifest, script);
    for (let step = 0; step < steps && !walk.isOver; step += 1) await walk.next();
    try {
      await walk.cancel();
      await walk.cancel();
    } catch (error) {
      problems.push(`Cancelling at "${walk.state.kind}" failed: ${String(error)}`);
    }
  }
  return [...new Set(problems)];
}

class Walk {
  readonly setup: ChannelSetup;
  readonly run: SetupRun;
  readonly #script: SetupScript;
  readonly #ctx: ChannelSetupContext;
  readonly #ended: AbortController;
  #sessionId = "";
  #polls = 0;

  static async begin(manifest: PluginManifest, script: SetupScript): Promise<Walk> {
    const setup = manifest.channel?.setup ?? manifest.setup;
    if (!setup) throw new Error(`The plugin ${manifest.key} has no setup.`);
    const walk = new Walk(setup, script);
    const { sessionId, state } = await setup.begin(script.input ?? {}, walk.#ctx);
    walk.#sessionId = sessionId;
    walk.run.states.push(state);
    return walk;
  }

  private constructor(setup: ChannelSetup, script: SetupScript) {
    this.setup = setup;
    this.#script = script;
    this.#ended = new AbortController();
    this.run = { states: [], config: null, credentials: {}, log: [] };
    this.#ctx = {
      agentId: "agent-1",
      logger: (message) => void this.run.log.push(message),
      credentialStore: storeOver(this.run.credentials),
      reason: script.reason ?? "first",
      language: script.language ?? "en",
      signal: this.#ended.signal,
    };
  }

  get state(): SetupState {
    return this.run.states.at(-1) as SetupState;
  }

  get isOver(): boolean {
    return this.state.kind === "done" || this.state.kind === "error";
  }

  async next(): Promise<void> {
    if (this.run.states.length > (this.#script.mostStates ?? 50)) {
      throw new Error(`The setup goes round in circles at "${this.state.kind}".`);
    }
    const state = await this.#answer(this.state);
    this.run.states.push(state);
    if (state.kind === "done") this.run.config = state.config;
  }

  async cancel(): Promise<void> {
    this.#ended.abort();
    await this.setup.cancel?.(this.#sessionId, this.#ctx);
  }

  async #answer(state: SetupState): Promise<SetupState> {
    switch (state.kind) {
      case "awaiting_external":
        await this.#script.outside?.(state, this.#polls);
        this.#polls += 1;
        return this.setup.poll(this.#sessionId, this.#ctx);
      case "awaiting_oauth":
        if (!this.#script.tokens) throw new Error("The setup wants a sign-in, but the script has no tokens.");
        return this.#submit({ ...this.#script.tokens });
      case "awaiting_user_input":
      case "awaiting_choice":
        return this.#submit((await this.#script.answer?.(state)) ?? {});
      case "done":
      case "error":
        throw new Error("The setup is over.");
    }
  }

  #submit(input: Record<string, unknown>): Promise<SetupState> {
    if (!this.setup.submit) throw new Error(`The setup asks ("${this.state.kind}") but has no submit.`);
    return this.setup.submit(this.#sessionId, input, this.#ctx);
  }
}

function faultsOf(state: SetupState, setup: ChannelSetup): string[] {
  const faults: string[] = [];
  const asks = ["awaiting_user_input", "awaiting_choice", "awaiting_oauth"].includes(state.kind);
  if (asks && !setup.submit) faults.push(`It asks ("${state.kind}") but has no submit.`);
  if (state.kind === "awaiting_external") {
    if (!state.qrText && !state.redirectUrl && !state.code) {
      faults.push("It waits for something outside without a code, a link or a QR text.");
    }
    if (state.redirectUrl && !isSafe(state.redirectUrl)) {
      faults.push(`The address ${state.redirectUrl} is neither https nor on this machine; it is not opened.`);
    }
    if (state.qrText && !setup.cancel) faults.push("It shows a QR code but has no cancel.");
  }
  if (state.kind === "awaiting_user_input") {
    const keys = state.fields.map(({ key }) => key);
    if (new Set(keys).size !== keys.length) faults.push("A form has two fields of the same key.");
  }
  return faults;
}

function isSafe(address: string): boolean {
  return /^(https:\/\/|http:\/\/(localhost|127(\.\d+){3}|\[::1\])([:/]|$))/.test(address);
}

function messageOf(state: SetupState): string {
  return state.kind === "error" ? state.message : state.kind;
}

function storeOver(profiles: Record<string, Record<string, string>>): CredentialStore {
  const of = (profile: string) => ({ ...profiles[profile] });
  return {
    get: async (profile, key) => of(profile)[key],
    list: async (profile) => of(profile),
    set: async (profile, key, value) => {
      profiles[profile] = { ...of(profile), [key]: value };
    },
    delete: async (profile, key) => {
      const { [key]: _gone, ...rest } = of(profile);
      profiles[profile] = rest;
    },
    replace: async (profile, values) => {
      profiles[profile] = { ...values };
    },
    clear: async (profile) => {
      delete profiles[profile];
    },
  };
}
