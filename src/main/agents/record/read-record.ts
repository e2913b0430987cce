import { z } from "zod";
import { contentPartSchema, type RecordEvent } from "../../../contract/index.ts";
import { isTakenApart, putTogether } from "./parts.ts";

/**
 * The fields that screens show of a call or a hook. Model requests and responses are read only when somebody asks for
 * them.
 */
const shown = [
  "payload",
  "after",
  "sections",
  "arguments",
  "output",
  "result",
  "details",
  "effects",
  "said",
  "edit",
  "question",
  "answer",
] as const;
const kept = ["world", "offer", "request", "response", "raw"] as const;

const resultSchema = z.object({ content: z.array(contentPartSchema), details: z.unknown().optional() });

type GetBlob = (address: string) => Promise<string | undefined>;

/**
 * The events with their payloads and results put together again. A part that is no longer stored stays as its
 * `{"$blob": …}`; a tool result without its parts becomes the text "[no longer kept]".
 */
export function withPayloads(events: readonly RecordEvent[], get: GetBlob): Promise<RecordEvent[]> {
  return allOf(events, (event) => assembled(event, shown, get));
}

/** The events with all parts put together again that are still stored. */
export function whole(events: readonly RecordEvent[], get: GetBlob): Promise<RecordEvent[]> {
  return allOf(events, (event) => assembled(event, [...shown, ...kept], get));
}

/** Most events have no part elsewhere, and are given back as they are. */
async function allOf(
  events: readonly RecordEvent[],
  assemble: (event: RecordEvent) => Promise<RecordEvent>,
): Promise<RecordEvent[]> {
  const whole: (RecordEvent | Promise<RecordEvent>)[] = events.map((event) =>
    isTakenApart(event) || event.type === "tool_ended" ? assemble(event) : event,
  );
  return Promise.all(whole);
}

async function assembled(event: RecordEvent, fields: readonly string[], get: GetBlob): Promise<RecordEvent> {
  const fresh: Record<string, unknown> = { ...event };
  for (const field of fields) if (field in fresh) fresh[field] = await putTogether(fresh[field], get);
  if (event.type === "tool_ended" && fresh.result !== null && !resultSchema.safeParse(fresh.result).success)
    fresh.result = { content: [{ type: "text", text: "[no longer kept]" }] };
  // Only fields that may hold any JSON were put together.
  return fresh as unknown as RecordEvent;
}

/** The event without what is only read when somebody asks for it: null stands in its place. */
export function withoutExchange(event: RecordEvent): RecordEvent {
  if (!kept.some((field) => field in event)) return event;
  const fresh: Record<string, unknown> = { ...event };
  for (const field of kept) if (field in fresh) fresh[field] = null;
  // Only fields that may hold any JSON were emptied.
  return fresh as unknown as RecordEvent;
}

/** The events of one turn. Of a turn that was continued, only those of its last part. */
export function turnOf(events: readonly RecordEvent[], turnId: string): RecordEvent[] {
  const own = events.filter((event) => event.turnId === turnId);
  return own.slice(own.findLastIndex((event) => event.type === "turn_begun"));
}
