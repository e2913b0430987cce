import { z } from "zod";
import { contentPartSchema, type RecordEvent } from "../../../contract/index.ts";
import { putTogether } from "./parts.ts";

/** What screens show of a call or a hook; what went to the model and back is read when it is asked for. */
const shown = ["payload", "after", "sections", "arguments", "output", "result", "details"] as const;
const kept = ["world", "offer", "request", "response", "raw"] as const;

const resultSchema = z.object({ content: z.array(contentPartSchema), details: z.unknown().optional() });

type GetBlob = (address: string) => Promise<string | undefined>;

/** Events with their payloads and results whole; what is no longer kept says so. */
export function withPayloads(events: readonly RecordEvent[], get: GetBlob): Promise<RecordEvent[]> {
  return Promise.all(events.map((event) => assembled(event, shown, get)));
}

/** Events with everything whole that is still kept. */
export function whole(events: readonly RecordEvent[], get: GetBlob): Promise<RecordEvent[]> {
  return Promise.all(events.map((event) => assembled(event, [...shown, ...kept], get)));
}

async function assembled(event: RecordEvent, fields: readonly string[], get: GetBlob): Promise<RecordEvent> {
  const fresh: Record<string, unknown> = { ...event };
  for (const field of fields) if (field in fresh) fresh[field] = await putTogether(fresh[field], get);
  if (event.type === "tool_ended" && fresh.result !== null && !resultSchema.safeParse(fresh.result).success)
    fresh.result = { content: [{ type: "text", text: "[no longer kept]" }] };
  // Only fields of any JSON were put together.
  return fresh as unknown as RecordEvent;
}

/** The events of one turn; of one that was gone on with, those of its last part. */
export function turnOf(events: readonly RecordEvent[], turnId: string): RecordEvent[] {
  const own = events.filter((event) => event.turnId === turnId);
  return own.slice(own.findLastIndex((event) => event.type === "turn_begun"));
}
