import type { RecordEventOf } from "../record.ts";
import type { TraceSpan } from "./spans.ts";

/** The hooks that are asked about one payload, one after the other: the n-th of m. */
export class HookChains {
  private readonly running = new Map<
    string | null,
    { about: string; asked: Set<string>; places: { n: number; of: number }[] }
  >();

  add(span: TraceSpan, { event, owner, hookId, stage }: RecordEventOf<"hook_asked">): void {
    const about = `${event} ${stage ?? ""}`;
    const hook = `${owner} ${hookId}`;
    let chain = this.running.get(span.parentId);
    if (chain?.about !== about || chain.asked.has(hook)) {
      chain = { about, asked: new Set(), places: [] };
      this.running.set(span.parentId, chain);
    }
    chain.asked.add(hook);
    span.place = { n: chain.asked.size, of: chain.asked.size };
    chain.places.push(span.place);
    for (const place of chain.places) place.of = chain.asked.size;
  }

  /** Something else began in the same span: the next hook there is the first of another payload. */
  end(parentId: string | null): void {
    this.running.delete(parentId);
  }
}
