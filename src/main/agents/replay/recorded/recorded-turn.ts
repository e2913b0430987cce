import {
  PatchbayError,
  type RecordEvent,
  type RecordEventOf,
  recordEventSchema,
} from "../../../../contract/index.ts";
import { saidIn } from "../../record/project-tool.ts";
import { whole } from "../../record/read-record.ts";
import type { TurnWorld } from "../../turns/world.ts";

/** The events of one recorded turn, with their large parts put back, and ways to find an event. */
export class RecordedTurn {
  readonly events: readonly RecordEvent[];
  readonly begun: RecordEventOf<"turn_begun">;

  private constructor(events: readonly RecordEvent[], begun: RecordEventOf<"turn_begun">) {
    this.events = events;
    this.begun = begun;
  }

  /** @throws PatchbayError READ_FAILED when these are not the lines of one turn */
  static async read(
    lines: readonly string[],
    getBlob: (address: string) => Promise<string | undefined>,
  ): Promise<RecordedTurn> {
    const events = await whole(
      lines.map((line) => recordEventSchema.parse(JSON.parse(line))),
      getBlob,
    );
    const [begun] = events;
    if (begun?.type !== "turn_begun") throw new PatchbayError("READ_FAILED", "The record has no such turn.");
    return new RecordedTurn(events, begun);
  }

  /** The same turn with changed events, to see what another answer would have led to. */
  changed(change: (event: RecordEvent) => RecordEvent): RecordedTurn {
    return new RecordedTurn(this.events.map(change), this.begun);
  }

  /** What the turn depended on. We wrote it ourselves with the first event, so it is not checked again. */
  get world(): TurnWorld {
    return this.begun.world as TurnWorld;
  }

  all<T extends RecordEvent["type"]>(type: T): RecordEventOf<T>[] {
    return this.events.filter((event): event is RecordEventOf<T> => event.type === type);
  }

  /** Whether a model that a plugin asked for was not known then. */
  refusedModel(model: string): boolean {
    return this.all("plugin_said").some((event) => {
      const said = saidIn(event);
      return said.kind === "refused" && said.why.kind === "unknown_model" && said.why.model === model;
    });
  }

  /** The event of that kind in a span. */
  in<T extends RecordEvent["type"]>(spanId: string | null, type: T): RecordEventOf<T> | undefined {
    return this.all(type).find((event) => event.spanId === spanId);
  }
}
