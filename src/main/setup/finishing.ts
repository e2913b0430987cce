import { fromProblem, PatchbayError, type SetupAnswer, toProblem } from "../../contract/index.ts";
import type { SetupPluginState } from "../runtimes/runtime.ts";
import type { Grant } from "./oauth/types.ts";
import type { Outcome, SettingsForm } from "./runner/options.ts";
import type { PluginSide } from "./runner/plugin-process.ts";
import type { WizardFrame } from "./wizard-frame.ts";

type Finished = Extract<SetupPluginState, { kind: "done" }>;

/** The end of a wizard: keeps what was finished, starts the plugin, and says so. */
export class Finishing {
  readonly #frame: WizardFrame;
  #saving: Promise<void> | null = null;

  constructor(frame: WizardFrame) {
    this.#frame = frame;
  }

  get isSaving(): boolean {
    return this.#saving !== null;
  }

  /** Resolves when what is being saved is saved, or could not be. */
  async settled(): Promise<void> {
    await this.#saving?.catch(() => {});
  }

  /** Keeps the settings of a form. @throws PatchbayError what is wrong with them; the form then stays */
  async form(form: SettingsForm, answer: Extract<SetupAnswer, { kind: "settings" }>): Promise<void> {
    const { machine, secrets, turns } = this.#frame;
    const turn = turns.next();
    secrets.add(...Object.values(answer.secrets ?? {}));
    const outcome: Outcome = {
      config: answer.config ?? form.config(),
      secrets: answer.secrets ?? {},
      account: null,
      sensitive: secrets.all,
      grant: null,
      whole: true,
      check: async (config) => {
        let asked: Promise<void> = Promise.resolve();
        const ask = (signal: AbortSignal) => {
          asked = form.check(config, signal);
          return asked;
        };
        // A process that answers too late is gone, too, before anything else is done.
        await turns.run(turn, ask).finally(() => asked.catch(() => {}));
      },
    };
    machine.move({ kind: "progress", doing: "saving" });
    try {
      await this.#save(outcome);
    } catch (error) {
      const problem = toProblem(error);
      machine.move({ kind: "settings", config: outcome.config });
      throw fromProblem(problem);
    }
  }

  /** Keeps what a plugin's own setup made. Never rejects: what could not be kept is offered to be kept again. */
  async setup(state: Finished, grant: Grant | null, side: Pick<PluginSide, "check">): Promise<void> {
    const { machine, secrets, turns } = this.#frame;
    const outcome: Outcome = {
      config: state.config,
      secrets: {},
      account: state.account ?? null,
      sensitive: secrets.all,
      grant,
      whole: false,
      check: (config) => turns.run(turns.current, (signal) => side.check(config, signal)),
    };
    const keep = async (): Promise<void> => {
      if (machine.step.kind !== "progress" || machine.step.doing !== "saving") {
        machine.move({ kind: "progress", doing: "saving" });
      }
      try {
        await this.#save(outcome);
      } catch (error) {
        const refused = error instanceof PatchbayError && refusals.has(error.code);
        // What the plugin has handed over once is not asked for again: saving is tried again with the same.
        await this.#frame.fail(error, refused ? () => this.#frame.begin() : keep, !refused);
      }
    };
    turns.next();
    await keep();
  }

  async #save(outcome: Outcome): Promise<void> {
    const { options, machine } = this.#frame;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#saving = promise;
    try {
      await options.save(outcome);
      await this.#frame.release(new PatchbayError("ABORTED", "The setup is done."), false);
      machine.move({ kind: "progress", doing: "starting" });
    } finally {
      this.#saving = null;
      resolve();
    }
    // It is saved, whether or not it starts; how it runs is shown by its row.
    await options.start().catch(() => {});
    this.#frame.stayAwake();
    machine.move({ kind: "done", account: outcome.account });
  }
}

/** What trying to save the same again would not mend. */
const refusals: ReadonlySet<string> = new Set(["CONFIG_REFUSED", "CONFIG_INVALID"]);
