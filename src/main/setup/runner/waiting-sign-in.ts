import type { SignInWay } from "../../../contract/index.ts";
import type { SignInPage } from "../flow/state.ts";
import type { Grant, SignIn, SignInRequest, SignsIn } from "../oauth/types.ts";

/** A sign-in that has begun. `page`: where the person goes; null: nowhere. */
interface Opened {
  page: SignInPage | null;
  grant: Promise<Grant>;
}

/** The sign-in that a wizard waits for. At most one at a time; another one takes its place. */
export class WaitingSignIn {
  readonly #signsIn: SignsIn;
  #waiting: SignIn | null = null;
  /**
   * Two promises that never reject: the first settles when the sign-in that is being prepared is there or gone, the
   * second when ended ones are gone.
   */
  #opening: Promise<unknown> = Promise.resolve();
  #ending: Promise<unknown> = Promise.resolve();

  constructor(signsIn: SignsIn) {
    this.#signsIn = signsIn;
  }

  /**
   * Ends the one that waits and prepares another; its page can be shown when this resolves. Aborted meanwhile, its
   * listener is gone before this rejects. A client that signs in for itself has no page, and its grant is there at once.
   *
   * @param way absent, or one that is not offered: the best that is
   * @throws what `SignsIn` throws, and the signal's reason
   */
  async open(request: SignInRequest, way: SignInWay | undefined, signal: AbortSignal): Promise<Opened> {
    await this.close();
    if (request.provider?.forItself)
      return { page: null, grant: Promise.resolve(await this.#signsIn.forItself(request, signal)) };
    const opening = this.#open(request, way, signal);
    this.#opening = opening.catch(() => {});
    return opening;
  }

  /** Ends the one that waits: its listener and timers are gone when this resolves. Never rejects. */
  async close(): Promise<void> {
    await this.#opening;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) this.#ending = Promise.all([this.#ending, waiting.close()]);
    await this.#ending;
  }

  async #open(request: SignInRequest, way: SignInWay | undefined, signal: AbortSignal): Promise<Opened> {
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
      page: { way: chosen, ways, url, ...(userCode !== undefined && { userCode }), expiresAt },
      grant: this.#grantOf(signIn),
    };
  }

  /** What it gives. Its listener and timers are gone when this settles. */
  async #grantOf(signIn: SignIn): Promise<Grant> {
    try {
      return await signIn.result;
    } finally {
      if (this.#waiting === signIn) await this.close();
    }
  }
}
