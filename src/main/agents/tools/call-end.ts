import type { ToolTrace } from "../../../contract/index.ts";
import type { SecretLookup } from "../ports.ts";
import { toolTraceOf } from "../record/project-tool.ts";
import type { Span } from "../record/recorder.ts";
import { redactDeep } from "../redact.ts";
import { type Ending, readable, type ToolCallEnd } from "./tool-call.ts";

/**
 * How a call ended, for its caller. A class, since an object with a getter of its own gets a hidden class of its own from V8,
 * which keeps the whole call in memory until the next full collection.
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

  /** What nobody reads is not put together. */
  get trace(): ToolTrace {
    this.#made ??= redactDeep(toolTraceOf(this.#span.recorder.events, this.#span.id), this.#secrets);
    return this.#made;
  }

  toJSON(): ToolCallEnd {
    const { output, outcome, trace } = this;
    return { output, outcome, trace };
  }
}
