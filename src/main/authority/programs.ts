import { EventEmitter } from "node:events";
import { type LetInProgram, PatchbayError } from "../../contract/index.ts";
import { type Clock, isoOf } from "../base/clock.ts";
import type { KeptAccess, KeptProgram } from "./kept-access.ts";
import { keyOf, newToken, partsOf, same, tokenText } from "./tokens.ts";

/** When a program was used is written down at most this often; milliseconds. */
const NOTED = 60 * 60 * 1_000;
/** Most programs that are kept for all agents. */
const MOST = 100;

/**
 * The programs that the person let use the tools of one agent. Each has a token for that alone, which works until it is
 * ended; of a token only a digest is kept.
 */
export class Programs {
  readonly changes = new EventEmitter<{ ended: [id: string] }>();
  readonly #kept: KeptAccess;
  readonly #clock: Clock;
  readonly #noted = new Map<string, number>();

  constructor(kept: KeptAccess, clock: Clock) {
    this.#kept = kept;
    this.#clock = clock;
  }

  /** @returns its token, which is never shown again @throws PatchbayError RATE_LIMITED, DISK_FULL, WRITE_FAILED */
  async letIn(agentId: string, name: string): Promise<{ program: LetInProgram; token: string }> {
    const parts = newToken();
    const createdAt = isoOf(this.#clock.now());
    const program = { id: parts.id, agentId, name, key: keyOf(parts.secret), createdAt, usedAt: null };
    await this.#kept.changePrograms((programs) => {
      if (programs.length >= MOST)
        throw new PatchbayError("RATE_LIMITED", `At most ${MOST} programs are let in at the same time.`, {
          help: "End one that is not used any more.",
        });
      return [...programs, program];
    });
    return { program: shown(program), token: tokenText(parts) };
  }

  /** Whose token this is; undefined when it is nobody's, or was ended. */
  identify(token: string): LetInProgram | undefined {
    const parts = partsOf(token);
    const program = parts && this.#kept.programs.find(({ id }) => id === parts.id);
    if (!parts || !program || !same(keyOf(parts.secret), program.key)) return undefined;
    this.#note(program);
    return shown(program);
  }

  list(agentId: string): LetInProgram[] {
    return this.#kept.programs.filter((program) => program.agentId === agentId).map(shown);
  }

  /** @throws PatchbayError NOT_FOUND, DISK_FULL, WRITE_FAILED */
  async end(id: string): Promise<void> {
    const known = this.#kept.programs.some((program) => program.id === id);
    if (!known) throw new PatchbayError("NOT_FOUND", "There is no such program any more.");
    await this.#kept.changePrograms((programs) => programs.filter((program) => program.id !== id));
    this.changes.emit("ended", id);
  }

  /** Ends all of an agent that is removed. @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async endOf(agentId: string): Promise<void> {
    for (const { id } of this.list(agentId)) await this.end(id);
  }

  #note({ id }: KeptProgram): void {
    const now = this.#clock.now();
    if (now - (this.#noted.get(id) ?? 0) < NOTED) return;
    this.#noted.set(id, now);
    const used = (program: KeptProgram) => (program.id === id ? { ...program, usedAt: isoOf(now) } : program);
    // A note that cannot be written is written at the next use; nobody waits for it.
    this.#kept.changePrograms((programs) => programs.map(used)).catch(() => {});
  }
}

function shown({ key: _, ...program }: KeptProgram): LetInProgram {
  return program;
}
