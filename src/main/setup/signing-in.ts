import type { SignInWay } from "../../contract/index.ts";
import type { Grant, SignIn, SignInRequest } from "./oauth/types.ts";
import type { PluginSide } from "./runner/plugin-process.ts";
import { SignInStep, tokensOf } from "./sign-in-step.ts";
import type { WizardFrame } from "./wizard-frame.ts";

/** The part of a wizard in which the person signs in at a provider: shows it, waits, and hands on what it gave. */
export class SigningIn {
  readonly #frame: WizardFrame;
  readonly #side: Pick<PluginSide, "isOpen">;
  readonly #step: SignInStep;

  constructor(frame: WizardFrame, side: Pick<PluginSide, "isOpen">) {
    this.#frame = frame;
    this.#side = side;
    this.#step = new SignInStep(frame.options.signIn);
  }

  /** Asked for, and not given yet. */
  get isPending(): boolean {
    return this.#step.isPending;
  }

  get grant(): Grant | null {
    return this.#step.grant;
  }

  /** Begins anew: what was given before does not count. */
  reset(): void {
    this.#step.grant = null;
  }

  async ask(request: SignInRequest): Promise<void> {
    this.#step.ask(request);
    await this.#start(request.ways?.[0]);
  }

  async changeWay(way: SignInWay): Promise<void> {
    this.#frame.machine.move({ kind: "progress", doing: "opening" });
    await this.#step.end();
    await this.#start(way);
  }

  async openPage(url: string): Promise<void> {
    const { options, machine } = this.#frame;
    const opened = await options.openUrl(url).catch(() => false);
    const { step } = machine;
    if (step.kind === "oauth" && step.url === url) machine.amend("oauth", { opened });
  }

  /** It is not asked for any more; its listener and timers are gone when this resolves. */
  forget(): Promise<void> {
    return this.#step.forget();
  }

  async #start(way: SignInWay | undefined): Promise<void> {
    const { turns, machine } = this.#frame;
    const turn = turns.next();
    try {
      const { signIn, step } = await turns.run(turn, (signal) => this.#step.open(way, signal));
      machine.move(step);
      void this.#await(signIn);
      await this.openPage(signIn.url);
    } catch (error) {
      if (turns.current === turn && !this.#frame.isOver) await this.#fail(error, way);
    }
  }

  async #await(signIn: SignIn): Promise<void> {
    try {
      const grant = await signIn.result;
      if (!this.#step.isWaiting(signIn) || this.#frame.isOver) return;
      this.#step.grant = grant;
      this.#frame.secrets.add(grant.accessToken, grant.refreshToken, grant.idToken);
      await this.#step.end();
      this.#frame.stayAwake();
      await this.#frame.give(tokensOf(grant));
    } catch (error) {
      if (this.#step.isWaiting(signIn) && !this.#frame.isOver) await this.#fail(error, signIn.way);
    }
  }

  async #fail(error: unknown, way: SignInWay | undefined): Promise<void> {
    await this.#step.end();
    await this.#frame.fail(error, async () => {
      this.#frame.machine.move({ kind: "progress", doing: "opening" });
      // The plugin's process may have ended since; then everything begins anew.
      if (this.#side.isOpen) await this.#start(way);
      else await this.#frame.begin();
    });
  }
}
