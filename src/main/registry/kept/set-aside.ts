import { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import {
  PatchbayError,
  type Problem,
  type SetAside,
  type SetAsideDetails,
  setAsideSchema,
} from "../../../contract/index.ts";
import { type Clock, isoTime, systemClock } from "../../base/clock.ts";
import type { AuditLog, Guard, RowSetAside, Rows, Signer, Storage } from "../../store/index.ts";

export interface SetAsideOptions {
  storage: Pick<Storage, "rows">;
  signer: Signer;
  audit: Pick<AuditLog, "record">;
  onNotice(problem: Problem): void;
  clock?: Clock;
}

/**
 * What something other than Patchbay changed, added or removed in what it keeps: kept until the person has looked at it.
 * In use is the last genuine state, or nothing.
 */
export class SetAsideRows {
  readonly changes = new EventEmitter<{ found: [row: SetAside] }>();
  readonly #options: SetAsideOptions;
  readonly #clock: Clock;
  readonly #rows: Rows<SetAside>;
  #last = 0;
  /** What was said since the start. */
  readonly #said = new Set<string>();

  constructor(options: SetAsideOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    // Entries that bear no signature were put there by somebody else, too: they are left out.
    const guard: Guard<SetAside> = { signer: options.signer, volatile: [], onSetAside: () => {} };
    this.#rows = options.storage.rows({ name: "set-aside", schema: setAsideSchema, version: 1, guard });
  }

  /** Oldest first. */
  list(): SetAside[] {
    return [...this.#rows.all().values()];
  }

  /** @throws PatchbayError NOT_FOUND */
  get(id: string): SetAside {
    const found = this.#rows.get(id);
    if (!found) throw new PatchbayError("NOT_FOUND", `Nothing with the number ${id} was set aside.`);
    return found;
  }

  /** Notes what was found, says it to the person and in the audit log. What is noted already is not noted again. */
  add({ collection, agentId, id: rowId, value, file, restored, older }: RowSetAside): void {
    const row = {
      collection: collectionOf(collection),
      agentId,
      rowId,
      value: value ?? null,
      restored,
      older,
    };
    const known = this.list().find(({ id: _id, at: _at, file: _file, ...rest }) =>
      isDeepStrictEqual(rest, row),
    );
    if (known) return;
    const noted: SetAside = { id: this.#freeId(), at: isoTime(this.#clock), ...row, file };
    void this.#rows.putLater(noted.id, noted).catch(() => {});
    this.#options.audit.record({
      kind: "state.set_aside",
      ...(agentId !== null && { agentId }),
      ...(row.collection !== "agents" && { pluginKey: rowId }),
      what: row.collection,
      restored,
      ...(older && { older }),
      file,
    });
    this.#said.add(noted.id);
    this.#options.onNotice(problemOf(noted));
    this.changes.emit("found", noted);
  }

  /** Says again what waits since an earlier start, until the person has decided. */
  remind(): void {
    for (const row of this.list()) if (!this.#said.has(row.id)) this.#options.onNotice(problemOf(row));
  }

  /** Forgets what was set aside: it was accepted, or is not wanted. On disk when the promise resolves. */
  async remove(id: string): Promise<void> {
    await this.#rows.change(id, () => undefined);
  }

  review(adopt: boolean): void {
    this.#rows.review(adopt);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  #freeId(): string {
    const taken = Math.max(this.#last, ...this.list().map(({ id }) => Number(id) || 0));
    this.#last = taken + 1;
    return String(this.#last);
  }
}

function collectionOf(name: string): SetAside["collection"] {
  return setAsideSchema.shape.collection.parse(name);
}

function problemOf({ id, collection, agentId, rowId, value, restored, older }: SetAside): Problem {
  const did = value === null ? "removed" : older ? "put an older state in the place of" : "changed";
  const used = restored ? "The last genuine state is used instead" : "It is left out";
  return new PatchbayError(
    "STATE_TAMPERED",
    `Something other than Patchbay ${did} ${wordsOf()}. ${used}${off()}.`,
    {
      help: `Look at it with \`patchbay state list\`; \`patchbay state accept ${id}\` uses what was found.`,
      details: {
        id,
        collection,
        agentId,
        rowId,
        found: value !== null,
        restored,
        older,
      } satisfies SetAsideDetails,
    },
  ).toProblem();

  function wordsOf(): string {
    switch (collection) {
      case "plugins":
        return `the row of the plugin ${rowId}`;
      case "agents":
        return `the row of the agent ${rowId}`;
      case "agent-plugins":
        return `what the agent ${agentId} has of the plugin ${rowId}`;
    }
  }

  function off(): string {
    return collection === "agents" ? "" : ", and the plugin is switched off";
  }
}
