import { z } from "zod";
import {
  type Compaction,
  contextTextLimit,
  type RecordEvent,
  type RecordEventOf,
  type SessionEntry,
} from "../../../../contract/index.ts";
import { whole } from "../../record/read-record.ts";
import type { LiveSession } from "../../sessions/session.ts";

const answerSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

/** The summaries of a conversation, each with the model's answer that it came from. */
export async function compactionsOf({
  entries,
  events,
}: Pick<LiveSession, "entries" | "events">): Promise<Compaction[]> {
  const made = entries.filter((entry) => entry.type === "compaction");
  if (made.length === 0) return [];
  const all = await events.readEvents();
  const answers = await whole(summaryAnswers(all), (address) => events.getBlob(address));
  let since = Number.NEGATIVE_INFINITY;
  return made.map((entry) => {
    const until = Date.parse(entry.at);
    const answered = answers.findLast(
      (event): event is RecordEventOf<"model_answered"> =>
        event.type === "model_answered" && event.at > since && Math.floor(event.at) <= until,
    );
    since = until;
    return compactionOf(entry, answered);
  });
}

/** Answers that belong to no turn: those of summaries. */
function summaryAnswers(events: readonly RecordEvent[]): RecordEvent[] {
  const turns = new Set(events.flatMap(({ type, turnId }) => (type === "turn_begun" ? [turnId] : [])));
  return events.filter((event) => event.type === "model_answered" && event.usage && !turns.has(event.turnId));
}

function compactionOf(
  { at, summary }: SessionEntry & { type: "compaction" },
  answered: RecordEventOf<"model_answered"> | undefined,
): Compaction {
  const usage = answered?.usage;
  const content = answerSchema.safeParse(answered?.response).data?.content;
  const written = content?.flatMap(({ text }) => (text === undefined ? [] : [text])).join("");
  return {
    at,
    text: summary.slice(0, contextTextLimit).toWellFormed(),
    characters: summary.length,
    model: answered?.model ?? null,
    before: usage ? usage.input + usage.cacheRead + usage.cacheWrite : null,
    after: usage?.output ?? null,
    changed: written !== undefined && written.trim() !== summary,
  };
}
