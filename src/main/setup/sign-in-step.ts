import type { SignInWay } from "../../contract/index.ts";
import type { StepDraft } from "./flow/steps.ts";
import type { Grant, SignIn, SignInRequest, SignsIn } from "./oauth/types.ts";

/** The sign-in of a wizard: what is asked for, the one that waits, and what it gave. */
export class SignInStep {
  readonly #signsIn: SignsIn;
  #request: SignInRequest | null = null;
  #waiting: SignIn | null = null;
  grant: Grant | null = null;

  constructor(signsIn: SignsIn) {
    this.#signsIn = signsIn;
  }

  /** Asked for, and not given yet. */
  get isPending(): boolean {
    return this.#request !== null && this.grant === null;
  }

  ask(request: SignInRequest): void {
    this.#request = request;
  }

  /** Prepares a sign-in; its page can be shown when this resolves. */
  async open(way: SignInWay | undefined, signal: AbortSignal): Promise<{ signIn: SignIn; step: StepDraft }> {
    const request = this.#request;
    if (!request) throw new Error("No sign-in was asked for.");
    const ways = await this.#signsIn.ways(request, signal);
    const chosen = way && ways.includes(way) ? way : (ways[0] ?? "browser");
    const signIn = await this.#signsIn.start(request, chosen, signal);
    if (signal.aborted) {
      await signIn.close();
      throw signal.reason;
    }
    this.#waiting = signIn;
    const { url, userCode, expiresAt } = signIn;
    return {
      signIn,
      step: {
        kind: "oauth",
        way: chosen,
        ways,
        url,
        opened: false,
        ...(userCode !== undefined && { userCode }),
        expiresAt: new Date(expiresAt).toISOString(),
        ...headingOf(request),
      },
    };
  }

  /** Whether this is the one that is waited for; one that was closed for another has not failed. */
  isWaiting(signIn: SignIn): boolean {
    return this.#waiting === signIn;
  }

  /** Ends the one that waits: its listener and timers are gone when this resolves. */
  async end(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = null;
    await waiting?.close();
  }

  async forget(): Promise<void> {
    this.#request = null;
    await this.end();
  }
}

/** What the wizard's frame shows of a plugin's state. */
export function headingOf(said: { title?: string; instructions?: string; steps?: string[]; step?: number }) {
  const { title, instructions, steps, step } = said;
  return {
    ...(title && { title }),
    ...(instructions && { instructions }),
    ...(steps && { steps }),
    ...(step !== undefined && { step }),
  };
}

/** What a plugin is told of a sign-in. */
export function tokensOf({ accessToken, refreshToken, idToken, tokenType, scope, expiresAt }: Grant) {
  return {
    accessToken,
    tokenType,
    ...(refreshToken && { refreshToken }),
    ...(idToken && { idToken }),
    ...(scope && { scope }),
    ...(expiresAt && { expiresAt }),
  };
}
