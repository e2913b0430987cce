import { on } from "node:events";
import { type LiveTracesView, PatchbayError } from "../../../../contract/index.ts";
import type { Agents } from "../../../agents/index.ts";
import { type ExportOrder, type ExportServices, exportTrace } from "../../../agents/traces/export/export.ts";
import type { LiveTraces } from "../../../agents/traces/live/live-traces.ts";
import { readEvent, readTurn, recordedTurns } from "../../../agents/traces/traces.ts";
import { saveNew } from "../../../store/index.ts";
import type { Views } from "../../../views/views.ts";
import { procedures } from "../../implementer.ts";

export interface TraceNeeds extends ExportServices {
  sessions: Pick<Agents["sessions"], "open">;
  views: Pick<Views, "agentById">;
  live: Pick<LiveTraces, "view" | "changes">;
  outsideCalls: Pick<Agents["outsideCalls"], "list" | "read" | "watch">;
  /** The person's downloads folder, where this shell has one. */
  downloads: string | undefined;
}

export function traceProcedures({ sessions, views, live, outsideCalls, downloads, ...services }: TraceNeeds) {
  const area = procedures.traces;
  const open = ({ agentId, sessionId }: { agentId: string; sessionId: string }) => {
    views.agentById(agentId);
    return sessions.open(agentId, sessionId);
  };
  const exported = async (order: { agentId: string; sessionId: string } & ExportOrder) =>
    exportTrace(await open(order), views.agentById(order.agentId), order, services);
  return {
    turns: area.turns.handler(async ({ input }) => recordedTurns(await open(input))),
    turn: area.turn.handler(async ({ input }) => readTurn(await open(input), input.turnId)),
    event: area.event.handler(async ({ input }) => readEvent(await open(input), input.turnId, input.seq)),
    export: area.export.handler(({ input }) => exported(input)),
    save: area.save.handler(async ({ input }) => {
      const { fileName, text } = await exported(input);
      return { path: await saveNew(folderOf(downloads), fileName, text) };
    }),
    live: area.live.handler(({ signal }) => viewsOf(live, signal)),
    outside: area.outside.handler(({ input: { agentId } }) => {
      views.agentById(agentId);
      return outsideCalls.list(agentId);
    }),
    outsideCall: area.outsideCall.handler(({ input: { agentId, id } }) => {
      views.agentById(agentId);
      return outsideCalls.read(agentId, id);
    }),
    watchOutside: area.watchOutside.handler(async ({ input: { agentId }, signal }) => {
      views.agentById(agentId);
      return relay(outsideCalls.watch(agentId, signal));
    }),
    watch: area.watch.handler(async ({ input, signal }) => relay((await open(input)).recorded.read(signal))),
  };
}

function folderOf(downloads: string | undefined): string {
  if (downloads !== undefined) return downloads;
  throw new PatchbayError("BAD_INPUT", "This Patchbay has no folder for downloads.", {
    help: "Take the file over the page, or run `patchbay trace export`.",
  });
}

/** What it is now, and at each change. */
async function* viewsOf(
  live: TraceNeeds["live"],
  signal?: AbortSignal,
): AsyncGenerator<LiveTracesView, void> {
  const changes = on(live.changes, "view", signal && { signal });
  yield live.view;
  try {
    for await (const [view] of changes) yield view as LiveTracesView;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** The caller passes events that are subscribed already; a generator would subscribe only at its first `next()`. */
async function* relay<T>(events: AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* events;
}
