import { ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { type AbortSource, onAbort } from "../../../base/call-abort.ts";
import { systemClock } from "../../../base/clock.ts";
import type { Connection } from "../connection/connection.ts";
import type { ServerRequest, ServerRequestOptions } from "../connection/program-requests.ts";
import type { AskingCall } from "./asking-call.ts";
import type { ServerAsks } from "./asks.ts";

/** Most times that a server asks before it answers. */
const MOST_ROUNDS = 10;
/** Most questions of one round. */
const MOST_AT_ONCE = 20;
/** Milliseconds before a request is repeated for a server that only wants to be asked again. */
const PACE_MS = 250;
/** The error of 2025-11-25 that says that pages have to be opened first. */
const PAGES_FIRST = -32_042;

const inputSchema = z.object({
  inputRequests: z
    .record(z.string(), z.object({ method: z.string(), params: z.unknown().optional() }))
    .default({}),
  requestState: z.unknown().optional(),
});

/**
 * Makes a request, and answers what the server asks before it answers: questions of the newer era, and the pages that the
 * older one wants opened first.
 *
 * @throws PatchbayError TOOL_FAILED when it asks again and again, or in a form that cannot be read; what the connection throws
 */
export async function answered(
  connection: Pick<Connection, "request">,
  { method, params }: ServerRequest,
  options: ServerRequestOptions,
  { asks, call, plugin }: { asks: ServerAsks; call: AskingCall; plugin: string },
): Promise<unknown> {
  let more: Record<string, unknown> | undefined;
  let hasOpened = false;
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    let result: Record<string, unknown>;
    try {
      result = await connection.request({ method, params: more ? { ...params, ...more } : params }, options);
    } catch (error) {
      const pages = hasOpened ? null : pagesOf(error);
      if (pages === null) throw error;
      hasOpened = true;
      await openAll(pages, { asks, call, plugin });
      continue;
    }
    if (result.resultType !== "input_required") return result;
    const input = inputSchema.safeParse(result);
    const wanted = Object.entries(input.data?.inputRequests ?? {});
    if (!input.success || wanted.length > MOST_AT_ONCE)
      throw new PatchbayError("TOOL_FAILED", `${plugin} asked in a form that cannot be read.`);
    const inputResponses: Record<string, object> = {};
    for (const [key, one] of wanted) inputResponses[key] = await asks.answer(one.method, one.params, call);
    if (wanted.length === 0) await pause(options.abort);
    const { requestState } = input.data;
    more = {
      ...(wanted.length > 0 && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new PatchbayError("TOOL_FAILED", `${plugin} asked again and again; the call was stopped.`);
}

/** The addresses that have to be opened before the request is made again; null when the error says something else. */
function pagesOf(error: unknown): unknown[] | null {
  if (!ProtocolError.isInstance(error) || error.code !== PAGES_FIRST) return null;
  const { data } = error;
  const pages: unknown = isObject(data) ? data.elicitations : undefined;
  return Array.isArray(pages) && pages.length > 0 ? pages.slice(0, MOST_AT_ONCE) : null;
}

async function openAll(
  pages: readonly unknown[],
  { asks, call, plugin }: { asks: ServerAsks; call: AskingCall; plugin: string },
): Promise<void> {
  for (const page of pages) {
    const { action } = await asks.open(page, call);
    if (action === "accept") continue;
    throw new PatchbayError(
      "TOOL_FAILED",
      `${plugin} needs a page to be opened first, and that was ${action === "decline" ? "declined" : "called off"}.`,
    );
  }
}

function pause(abort: AbortSource): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      unlink();
      resolve();
    };
    const cancel = systemClock.after(PACE_MS, end);
    const unlink = onAbort(abort, end);
  });
}
