import type { RecordEventOf } from "../record.ts";

/** Of a hook: the how many-th it was of those that were asked about one payload, both from 1. */
export interface HookPlace {
  n: number;
  of: number;
}

/** Counts the hooks that are asked about one payload, one after the other. */
export class HookChains {
  private readonly running = new Map<
    string | null,
    { about: string; asked: Set<string>; places: HookPlace[] }
  >();

  /** The place of a hook that is asked now; its `of` grows with the hooks after it. */
  add({ parentId, event, owner, hookId, stage }: RecordEventOf<"hook_asked">): HookPlace {
    const about = `${event} ${stage ?? ""}`;
    const hook = `${owner} ${hookId}`;
    let chain = this.running.get(parentId);
    if (chain?.about !== about || chain.asked.has(hook)) {
      chain = { about, asked: new Set(), places: [] };
      this.running.set(parentId, chain);
    }
    chain.asked.add(hook);
    const place = { n: chain.asked.size, of: chain.asked.size };
    chain.places.push(place);
    for (const each of chain.places) each.of = chain.asked.size;
    return place;
  }

  /** Something else began in the same span: the next hook there is the first of another payload. */
  end(parentId: string | null): void {
    this.running.delete(parentId);
  }
}
