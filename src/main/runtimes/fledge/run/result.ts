import { PatchbayError } from "../../../../contract/index.ts";
import { howItEnded } from "../../../platform/how-it-ended.ts";
import type { ToolOutput } from "../../plugin-call.ts";
import type { RunEnd } from "./protocol-run.ts";

/**
 * The output of a run for the agent.
 * @throws PatchbayError TOOL_FAILED with what the program said. A reason of Patchbay's own (`failure`) counts before
 * the exit code
 */
export function resultOf(command: string, argv: readonly string[], end: RunEnd): ToolOutput {
  const { exit, output, failure } = end;
  const details = {
    exitCode: exit.code,
    signal: exit.signal,
    argv,
    ...(output.truncated && { truncated: true }),
  };
  if (failure !== null) throw withOutput(failure, output.failure(), details);
  if (exit.code !== 0) {
    const how = exit.signal ? `was ended by ${exit.signal}` : `ended with exit code ${exit.code}`;
    const why = exit.endedFor === undefined ? how : howItEnded(exit);
    throw withOutput(new PatchbayError("TOOL_FAILED", `${command} ${why}.`), output.failure(), details);
  }
  const text = output.text();
  return { content: [{ type: "text", text: text === "" ? "[no output]" : text }], details };
}

function withOutput(error: unknown, said: string, details: Record<string, unknown>): PatchbayError {
  const known = error instanceof PatchbayError;
  const message = error instanceof Error ? error.message : String(error);
  return new PatchbayError(
    known ? error.code : "TOOL_FAILED",
    said === "" ? message : `${message}\n${said}`,
    {
      details,
      cause: error,
      ...(known && { help: error.help }),
    },
  );
}
