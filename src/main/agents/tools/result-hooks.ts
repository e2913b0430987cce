import { PatchbayError } from "../../../contract/index.ts";
import { type Ending, type FoundCall, payloadOf, readable, scopeOf } from "./tool-call.ts";

/** The end of a call after the hooks on tool.result, which may change what came out. @throws PatchbayError HOOK_BLOCKED */
export async function askResultHooks(call: FoundCall, ending: Ending): Promise<Ending> {
  const { content } = readable(ending);
  const isError = ending.outcome !== "executed";
  const payload = payloadOf(call, { content, isError, durationMs: call.tookMs });
  const after = await call.bus.transform("tool.result@v1", payload, scopeOf(call));
  if (!after.isChanged) return ending;
  const output = { ...ending.output, content: after.payload.content };
  if (!after.payload.isError) return { outcome: "executed", output, problem: null };
  const by = after.changedBy.join(", ") || "you";
  const message = `The result of ${call.found.info.title} was marked as failed by ${by}.`;
  const problem = ending.problem ?? new PatchbayError("TOOL_FAILED", message).toProblem();
  return { outcome: "failed", output, problem };
}
