import { EventEmitter } from "node:events";
import { z } from "zod";
import {
  type Agent,
  agentIdSchema,
  agentSchema,
  PatchbayError,
  type Plugin,
  type Problem,
  pluginSchema,
  type Session,
  toProblem,
} from "../../../contract/index.ts";
import { type Clock, isoTime, systemClock } from "../../base/clock.ts";
import { type Ids, systemIds } from "../../base/ids.ts";
import type { Guard, Rows, Signer, Storage } from "../../store/index.ts";

const whatSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("plugin"), plugin: pluginSchema }),
  /** `room`: the name of its folder among the removed ones. */
  z.object({
    kind: z.literal("agent"),
    agent: agentSchema,
    /** How many plugins it had settings for. */
    plugins: z.number().int(),
    room: z.string(),
  }),
  z.object({
    kind: z.literal("session"),
    agentId: agentIdSchema,
    sessionId: z.string(),
    title: z.string(),
    room: z.string(),
  }),
]);
export type RemovedWhat = z.infer<typeof whatSchema>;

/** What is on the disk: bytes, and conversations of an agent. Null while it is not counted yet. */
const sizeSchema = z.object({ bytes: z.number().int(), conversations: z.number().int() });

const removedRowSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** `restoring`, `deleting`: a step was begun; the next start goes on with it. */
  stage: z.enum(["kept", "restoring", "deleting"]),
  size: sizeSchema.nullable(),
  what: whatSchema,
});
export type RemovedRow = z.infer<typeof removedRowSchema>;
export type RemovedOf<K extends RemovedWhat["kind"]> = Extract<RemovedWhat, { kind: K }>;

export interface RemovedRowsOptions {
  storage: Pick<Storage, "rows" | "removed">;
  signer: Signer;
  onNotice(problem: Problem): void;
  clock?: Clock;
  ids?: Ids;
}

/** The list of what was removed and is kept. It is signed: nobody brings something in by way of it. */
export class RemovedRows {
  readonly changes = new EventEmitter<{ row: [id: string] }>();
  readonly #options: RemovedRowsOptions;
  readonly #clock: Clock;
  /** Null: the list could not be read. */
  readonly #rows: Rows<RemovedRow> | null;
  #doubtful = false;

  constructor(options: RemovedRowsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#rows = this.#open();
  }

  /**
   * False when the list, or a part of it, could not be read, or somebody else changed it: then nothing may be deleted
   * because it does not stand in it.
   */
  get whole(): boolean {
    return this.#rows !== null && !this.#doubtful;
  }

  /** Newest first. */
  list(): RemovedRow[] {
    return [...(this.#rows?.all().values() ?? [])].sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  get(id: string): RemovedRow | undefined {
    return this.#rows?.get(id);
  }

  /** The plugins in the list; null when it is not {@link whole}. */
  plugins(): Plugin[] | null {
    if (!this.whole) return null;
    return this.list().flatMap(({ what }) => (what.kind === "plugin" ? [what.plugin] : []));
  }

  /** Whether an agent with this id is in the list. */
  hasAgent(agentId: string): boolean {
    return this.list().some(({ what }) => what.kind === "agent" && what.agent.id === agentId);
  }

  /** Notes a plugin that is about to be uninstalled. Throws as {@link add}. */
  async keep(plugin: Plugin): Promise<void> {
    await this.add({ kind: "plugin", plugin });
  }

  /** Notes an agent that is about to be removed, and chooses where it is kept. Throws as {@link add}. */
  async keepAgent(agent: Agent, plugins: number): Promise<{ id: string; room: string }> {
    const room = this.#options.storage.removed.nameFor({ agentId: agent.id }, this.#clock.now());
    const { id } = await this.add({ kind: "agent", agent, plugins, room });
    return { id, room };
  }

  /** Notes a conversation that is about to be removed, and chooses where it is kept. Throws as {@link add}. */
  async keepSession({ agentId, id: sessionId, title }: Session): Promise<{ id: string; room: string }> {
    const room = this.#options.storage.removed.nameFor({ agentId, sessionId }, this.#clock.now());
    const { id } = await this.add({ kind: "session", agentId, sessionId, title, room });
    return { id, room };
  }

  /**
   * Notes something that is about to be removed; on disk when the promise resolves.
   * @throws PatchbayError VAULT_CLOSED, STATE_FILE_DAMAGED, DISK_FULL, WRITE_FAILED
   */
  async add(what: RemovedWhat): Promise<RemovedRow> {
    // Throws while nothing can be signed: what bears no signature is not believed later.
    this.#options.signer.sign("removed");
    const id = (this.#options.ids ?? systemIds).next().replaceAll("-", "").slice(0, 12);
    const row: RemovedRow = { id, at: isoTime(this.#clock), stage: "kept", size: null, what };
    await this.#writable().change(id, () => row);
    this.changes.emit("row", id);
    return row;
  }

  /** Notes that a step has begun, or was given up. Throws as {@link add}. */
  async mark(id: string, stage: RemovedRow["stage"]): Promise<void> {
    await this.#writable().change(id, (row) => row && { ...row, stage });
    this.changes.emit("row", id);
  }

  /** Takes it off the list. Throws as {@link add}. */
  async drop(id: string): Promise<void> {
    await this.#writable().change(id, () => undefined);
    this.changes.emit("row", id);
  }

  /** Notes what it takes. On disk a little later. */
  measured(id: string, size: RemovedRow["size"]): void {
    if (!this.get(id)) return;
    void this.#rows?.mergeLater(id, { size }).catch(() => {});
    this.changes.emit("row", id);
  }

  /** Judges the list again, as `Rows.review` does. */
  review(adopt: boolean): void {
    for (const id of this.#rows?.review(adopt) ?? []) this.changes.emit("row", id);
  }

  async close(): Promise<void> {
    await this.#rows?.close();
    this.changes.removeAllListeners();
  }

  #open(): Rows<RemovedRow> | null {
    const { storage, signer, onNotice } = this.#options;
    const guard: Guard<RemovedRow> = {
      signer,
      volatile: ["size"],
      onSetAside: ({ file }) => {
        if (!this.#doubtful) onNotice(doubtful(file));
        this.#doubtful = true;
      },
    };
    try {
      return storage.rows({
        name: "removed",
        schema: removedRowSchema,
        version: 1,
        whenLost: "refuse",
        guard,
      });
    } catch (error) {
      onNotice(toProblem(error, "READ_FAILED"));
      return null;
    }
  }

  #writable(): Rows<RemovedRow> {
    if (this.#rows) return this.#rows;
    throw new PatchbayError("STATE_FILE_DAMAGED", "The list of what was removed could not be read.", {
      help: "Nothing is removed until it can be read. Put removed.json back, or move it away, and start Patchbay again.",
    });
  }
}

function doubtful(file: string | null): Problem {
  return new PatchbayError(
    "STATE_TAMPERED",
    "Something other than Patchbay changed the list of what was removed (removed.json).",
    {
      help: "What it changed is not used. Nothing that was removed is deleted until Patchbay is started again.",
      ...(file !== null && { details: { file } }),
    },
  ).toProblem();
}
