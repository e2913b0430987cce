import type { ToolTrace } from "../../../contract/index.ts";
import type { SecretLookup } from "../ports.ts";
import { toolTraceOf } from "../record/project-tool.ts";
import type { Span } from "../record/recorder.ts";
import { redactDeep } from "../redact.ts";
import { type Ending, readable, type ToolCallEnd } from "./tool-call.ts";

/**
 * How a call ended, for its caller. This is a class because V8 gives every object literal with a getter a hidden class
 * of its own, and that keeps the whole call in memory until the next full garbage collection.
 */
export class CallEnd implements ToolCallEnd {
  readonly output: ToolCallEnd["output"];
  readonly outcome: ToolCallEnd["outcome"];
  readonly #span: Span;
  readonly #secrets: SecretLookup;
  #made: ToolTrace | undefined;

  constructor(span: Span, ending: Ending, secrets: SecretLookup) {
    this.output = readable(ending);
    this.outcome = ending.outcome;
    this.#span = span;
    this.#secrets = secrets;
  }

  /** Computed when it is read, because most callers do not read it. */
  get trace(): ToolTrace {
    this.#made ??= redactDeep(toolTraceOf(this.#span.recorder.events, this.#span.id), this.#secrets);
    return this.#made;
  }

  toJSON(): ToolCallEnd {
    const { output, outcome, trace } = this;
    return { output, outcome, trace };
  }
}
