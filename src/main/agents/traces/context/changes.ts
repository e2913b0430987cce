import { z } from "zod";
import type { RecordEvent, RecordEventOf } from "../../../../contract/index.ts";

/** What a hook made of a section; `before` is null for one that was not there. */
export interface SectionChange {
  owner: string;
  before: string | null;
  after: string;
}

/** What a hook put into the messages of a call and took out of them. */
export interface WholeMessageChange {
  owner: string;
  removed: { role: string; text: string }[];
  added: { role: string; text: string }[];
}

const sectionsSchema = z.object({ sections: z.array(z.object({ key: z.string(), content: z.string() })) });
const messagesSchema = z.object({ messages: z.array(z.looseObject({ role: z.string(), text: z.string() })) });

/** A hook that changed a payload, with what it was given and what it gave back. */
interface Changed {
  owner: string;
  before: unknown;
  after: unknown;
}

/** The hooks of a span that changed the payload of an event, in order. */
function changedAt(events: readonly RecordEvent[], event: string, parentId: string): Changed[] {
  const asked = new Map<string, RecordEventOf<"hook_asked">>();
  const changed: Changed[] = [];
  for (const one of events) {
    if (one.type === "hook_asked" && one.event === event && one.parentId === parentId)
      asked.set(one.spanId, one);
    if (one.type !== "hook_answered" || one.after === undefined) continue;
    const question = asked.get(one.spanId);
    if (question) changed.push({ owner: one.owner, before: question.payload, after: one.after });
  }
  return changed;
}

/** Who added or changed which section of the system prompt, by its key. */
export function sectionChanges(
  events: readonly RecordEvent[],
  turnSpan: string,
): Map<string, SectionChange[]> {
  const changes = new Map<string, SectionChange[]>();
  for (const { owner, before, after } of changedAt(events, "prompt.assemble@v1", turnSpan)) {
    const old = sectionsSchema.safeParse(before).data?.sections ?? [];
    for (const { key, content } of sectionsSchema.safeParse(after).data?.sections ?? []) {
      const was = old.find((section) => section.key === key)?.content ?? null;
      if (was !== content)
        changes.set(key, [...(changes.get(key) ?? []), { owner, before: was, after: content }]);
    }
  }
  return changes;
}

/** What hooks on `model.before@v1` made of the messages of one call: between what is equal at both ends. */
export function messageChanges(events: readonly RecordEvent[], callSpan: string): WholeMessageChange[] {
  return changedAt(events, "model.before@v1", callSpan).map(({ owner, before, after }) => {
    const old = messagesSchema.safeParse(before).data?.messages ?? [];
    const fresh = messagesSchema.safeParse(after).data?.messages ?? [];
    const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
    let first = 0;
    while (first < old.length && first < fresh.length && same(old[first], fresh[first])) first += 1;
    let last = 0;
    while (
      last < old.length - first &&
      last < fresh.length - first &&
      same(old[old.length - 1 - last], fresh[fresh.length - 1 - last])
    )
      last += 1;
    const middle = (all: typeof old) =>
      all.slice(first, all.length - last).map(({ role, text }) => ({ role, text }));
    return { owner, removed: middle(old), added: middle(fresh) };
  });
}
