import { createHmac } from "node:crypto";
import { type Clock, systemClock } from "../base/clock.ts";
import type { Storage } from "../store/index.ts";
import { Confirmations, type ConfirmationsOptions } from "./confirmations.ts";
import { KeptAccess } from "./kept-access.ts";
import { LinkCodes } from "./link-codes.ts";
import { ProgramToken } from "./program-token.ts";
import { Programs } from "./programs.ts";
import { Screens } from "./screens.ts";
import { newSecret } from "./tokens.ts";

export interface AuthorityOptions extends Omit<ConfirmationsOptions, "clock"> {
  storage: Pick<Storage, "rows">;
  clock?: Clock;
}

/** The same refusal is written down at most this often, milliseconds. */
const REPEATED = 10_000;

/** Who may talk to this Patchbay, and what needs the person's word. */
export class Authority {
  readonly kept: KeptAccess;
  readonly screens: Screens;
  readonly links: LinkCodes;
  readonly program: ProgramToken;
  readonly programs: Programs;
  readonly confirmations: Confirmations;
  readonly #options: AuthorityOptions;
  readonly #clock: Clock;
  readonly #refused = new Map<string, number>();
  /** Signs what no page can check. */
  readonly #nobody = newSecret();

  constructor(options: AuthorityOptions) {
    const { clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.kept = new KeptAccess(options.storage);
    this.screens = new Screens(this.kept, clock);
    this.links = new LinkCodes(clock);
    this.program = new ProgramToken(clock);
    this.programs = new Programs(this.kept, clock);
    this.confirmations = new Confirmations({ ...options, clock });
    this.screens.changes.on("ended", (id) => this.confirmations.forget(id));
  }

  /**
   * Signs a text with each key that a page under this id may hold, so that the page knows its Patchbay. For an unknown
   * id it signs with one that nobody has, so that nothing is learnt from the answer.
   */
  proofs(id: string, text: string): string[] {
    const keys = [...this.screens.keys(id), ...this.links.keys(id)];
    return (keys.length === 0 ? [this.#nobody] : keys).map((key) =>
      createHmac("sha256", key).update(text).digest("base64url"),
    );
  }

  /** Writes down that somebody was refused at the gateway; the same reason once in ten seconds. */
  refused(target: string, detail?: string): void {
    const now = this.#clock.ticks();
    const last = this.#refused.get(target);
    if (last !== undefined && now - last < REPEATED) return;
    this.#refused.set(target, now);
    void this.#options.audit.record({
      kind: "wall.refused",
      wall: "authority",
      target,
      ...(detail !== undefined && { detail }),
    });
  }

  async close(): Promise<void> {
    this.program.end();
    await this.kept.close();
  }
}
