import { PatchbayError, type RepeatedCall } from "../../../../contract/index.ts";
import type { ToolPipeline, ToolRequest } from "../pipeline.ts";

/**
 * Makes the same call again and again, one after the other, until it was made `times`, the request is aborted, or a call was
 * refused because it would have waited for an approval: many equal calls never become many questions. `tell` gets each end.
 * @throws PatchbayError AGENT_NOT_FOUND, TOOL_DENIED
 */
export async function repeated(
  tools: Pick<ToolPipeline, "call">,
  request: ToolRequest,
  times: number,
  tell: (call: RepeatedCall) => void,
): Promise<void> {
  for (let index = 0; index < times && !request.signal.aborted; index += 1) {
    const { outcome, trace } = await tools.call({ ...request, asksNobody });
    if (request.signal.aborted) return;
    const { ms, executeMs, problem } = trace;
    tell({ index, ms, executeMs, outcome, problem });
    if (outcome === "rejected") return;
  }
}

function asksNobody(title: string): PatchbayError {
  return new PatchbayError("TOOL_ASKS", `${title} asks before each call, so it is not called many times.`);
}
