import {
  type ConfirmationAsked,
  type ConfirmationWay,
  PatchbayError,
  type PersonAct,
} from "../../contract/index.ts";
import { type Clock, isoOf } from "../base/clock.ts";
import type { Person } from "../platform/platform.ts";
import type { AuditLog } from "../store/index.ts";
import { actWords } from "./act-words.ts";
import { Attempts } from "./attempts.ts";
import { type Asker, type Caller, nameOf } from "./callers.ts";

/** How long a confirmation holds, and how long a program is not asked for again after a "no"; milliseconds. */
const HOLDS = 15 * 60 * 1_000;
const PAUSE_AFTER_NO = 60 * 1_000;
/** Most confirmations that are remembered; the oldest is forgotten first. */
const MOST = 200;

export interface ConfirmationsOptions {
  /** How the person is reached; absent where nobody can be asked. */
  person: Person | undefined;
  passphrase: {
    /** Whether one is set. */
    isSet(): boolean;
    /** Whether this is the one. */
    proves(passphrase: string): Promise<boolean>;
  };
  audit: Pick<AuditLog, "record">;
  clock: Clock;
}

/**
 * Whether the person wants what is asked in their name. What only they may do needs their word: at the terminal where
 * Patchbay runs, with the passphrase of the secrets, or in a dialog of the system. Their word holds for a quarter of an
 * hour and for the one who asked. Every question and every answer is in the audit log.
 */
export class Confirmations {
  readonly #options: ConfirmationsOptions;
  readonly #attempts = new Map<string, Attempts>();
  readonly #until = new Map<string, number>();
  readonly #prompts = new Map<string, Promise<boolean>>();
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConfirmationsOptions) {
    this.#options = options;
  }

  callerOf(asker: Asker): Caller {
    return { asker, prove: (act) => this.#prove(asker, act) };
  }

  /**
   * Takes the code or the passphrase. @returns until when it holds, as ISO text
   * @throws PatchbayError BAD_INPUT, CONFIRMATION_WRONG, CONFIRMATION_LOCKED
   */
  async confirm(
    asker: Asker,
    given: { code?: string | undefined; passphrase?: string | undefined },
  ): Promise<string> {
    const name = placeOf(asker);
    if (name === null)
      throw new PatchbayError("BAD_INPUT", "A program that confirms something names itself.", {
        help: "Send the same header x-patchbay-caller, a random text, with each request.",
      });
    const attempts = this.#attemptsOf(asker);
    const way: ConfirmationWay = given.passphrase === undefined ? "code" : "passphrase";
    const isRight =
      given.passphrase === undefined
        ? attempts.take(given.code ?? "")
        : await this.#isPassphrase(given.passphrase, attempts);
    if (!isRight) {
      this.#record("authority.refused", asker, { way });
      throw new PatchbayError(
        "CONFIRMATION_WRONG",
        way === "code" ? "That is not the code." : "That is not the passphrase.",
      );
    }
    return this.#hold(asker, name, way);
  }

  /** Forgets what was confirmed for a screen that has ended. */
  forget(screen: string): void {
    const name = placeOf({ kind: "screen", id: screen, name: "" }) ?? "";
    this.#until.delete(name);
    this.#attempts.delete(name);
  }

  async #prove(asker: Asker, act: PersonAct): Promise<void> {
    const name = placeOf(asker);
    const { clock, person } = this.#options;
    if (name !== null && (this.#until.get(name) ?? 0) > clock.ticks()) return;
    if (person?.kind === "prompt") return this.#prompt(asker, act, name ?? "program");
    const ways = this.#ways();
    // A screen asks because somebody pressed a button there; a program may have stolen its token.
    if (asker.kind === "program") this.#record("wall.refused", asker, { wall: "authority", target: act });
    else this.#record("authority.asked", asker, { act });
    if (person) this.#showCode(asker, act);
    const details: ConfirmationAsked = { act, ways };
    const why = `${actWords[act]} needs your confirmation.`;
    throw ways.length > 0
      ? new PatchbayError("CONFIRMATION_NEEDED", why, { details: { ...details } })
      : new PatchbayError("CONFIRMATION_NEEDED", `${why} Nobody can be asked for it here.`, {
          help: "Run the command while no Patchbay runs, or set a passphrase for the stored secrets.",
          details: { ...details },
        });
  }

  /** Asks in a dialog of the system; two questions of the same asker are one. */
  async #prompt(asker: Asker, act: PersonAct, name: string): Promise<void> {
    const { clock, person } = this.#options;
    if (person?.kind !== "prompt") return;
    const isProgram = asker.kind === "program";
    const isNagging = isProgram && clock.ticks() - this.#refusedAt < PAUSE_AFTER_NO;
    let answer = this.#prompts.get(name);
    if (!answer && !isNagging) {
      answer = person.confirm(act, isProgram ? "program" : "screen");
      this.#prompts.set(name, answer);
      answer.catch(() => {}).finally(() => this.#prompts.delete(name));
    }
    if (answer && (await answer)) {
      this.#hold(asker, name, "prompt");
      return;
    }
    if (isProgram) this.#refusedAt = clock.ticks();
    this.#record("wall.refused", asker, { wall: "authority", target: act });
    throw new PatchbayError("ABORTED", `${actWords[act]} was not confirmed.`);
  }

  #showCode(asker: Asker, act: PersonAct): void {
    const { person } = this.#options;
    if (person?.kind !== "terminal") return;
    const { digits } = this.#attemptsOf(asker).code();
    const code = `${digits.slice(0, 3)} ${digits.slice(3)}`;
    person.show(
      `\nConfirmation code ${code}, good for five minutes: ${actWords[act]}, asked by ${nameOf(asker)}.\n` +
        "If you did not ask for it, do not type it anywhere.",
    );
  }

  #ways(): ConfirmationWay[] {
    const { person, passphrase } = this.#options;
    return [...(person ? ["code" as const] : []), ...(passphrase.isSet() ? ["passphrase" as const] : [])];
  }

  async #isPassphrase(passphrase: string, attempts: Attempts): Promise<boolean> {
    attempts.refuseLocked();
    // Counted before it is looked at, so that guesses at the same time are all counted.
    attempts.fail();
    if (!(await this.#options.passphrase.proves(passphrase))) return false;
    attempts.succeed();
    return true;
  }

  #hold(asker: Asker, name: string, way: ConfirmationWay | "prompt"): string {
    const { clock } = this.#options;
    const [oldest] = this.#until.keys();
    if (this.#until.size >= MOST && oldest !== undefined) this.#until.delete(oldest);
    this.#until.delete(name);
    this.#until.set(name, clock.ticks() + HOLDS);
    this.#record("authority.confirmed", asker, { way });
    return isoOf(clock.now() + HOLDS);
  }

  /** All programs share one code: they share one token. */
  #attemptsOf(asker: Asker): Attempts {
    const name = asker.kind === "program" ? "programs" : (placeOf(asker) ?? "");
    let attempts = this.#attempts.get(name);
    if (!attempts) {
      attempts = new Attempts(this.#options.clock);
      this.#attempts.set(name, attempts);
    }
    return attempts;
  }

  #record(kind: string, asker: Asker, more: Record<string, unknown>): void {
    void this.#options.audit.record({ kind, by: nameOf(asker), ...more });
  }
}

/** Under which name a confirmation is kept; null for a program without a name of its own. */
function placeOf(asker: Asker): string | null {
  switch (asker.kind) {
    case "window":
      return "window";
    case "screen":
      return `screen ${asker.id}`;
    case "program":
      return asker.name === null ? null : `program ${asker.name}`;
  }
}
