import type { PatchbayError } from "../../../contract/index.ts";
import type { HostProcess } from "../../platform/platform.ts";
import { Calls, type EffectSink } from "./calls.ts";
import { fromHostProblem, HostLine, type LogSink, type RefusalSink } from "./host-line.ts";
import { HostQuestions, type Question } from "./host-questions.ts";
import { Opening } from "./opening.ts";
import type { FromHost } from "./protocol.ts";

/** The messages that this class handles for all clients: results of calls, questions, and a failed opening. */
type Shared = "result" | "error" | "progress" | "request" | "cancel" | "failed";

/** The messages that each kind of client handles itself. */
export type OwnMessage = Exclude<FromHost, { t: Shared }>;

/**
 * The part that all clients of a host share: the line to the host, the calls under way, the plugin's questions, and the
 * opening.
 */
export class HostTalk<Opened> {
  readonly line: HostLine;
  readonly calls: Calls;
  readonly opening = new Opening<Opened>();
  readonly #questions: HostQuestions;
  readonly #receiveOwn: (message: OwnMessage) => void;

  constructor(
    process: HostProcess,
    client: {
      receive(message: OwnMessage): void;
      /** Answers what the plugin asks. */
      serve(question: Question): Promise<unknown>;
      log: LogSink;
      refused?: RefusalSink;
      /** Takes what the plugin asked for beside its answer to a call, before the call is settled. */
      effects?: EffectSink;
      /** Called when the process is gone, before the waiting calls are rejected. */
      ended?(): void;
    },
  ) {
    this.#receiveOwn = client.receive;
    this.line = new HostLine(process, (message) => this.#receive(message), client.log, client.refused);
    this.calls = new Calls(this.line, client.effects);
    this.#questions = new HostQuestions(this.line, client.serve);
    void this.line.exited.then((exit) => {
      const crash = this.line.crash(exit);
      this.opening.failed(crash);
      client.ended?.();
      this.#end(crash);
    });
  }

  /**
   * Calls `ask`, which sends the message that opens the plugin, and waits for the answer. When that fails or the signal
   * is aborted, the process is gone before this rejects.
   */
  async open(signal: AbortSignal, ask: () => void): Promise<Opened> {
    try {
      return await this.opening.wait(signal, ask);
    } catch (error) {
      await this.line.kill("it did not start");
      throw error;
    }
  }

  #receive(message: FromHost): void {
    switch (message.t) {
      case "result":
        this.calls.result(message.id, message.value, message.effects);
        break;
      case "error":
        this.calls.error(message.id, message.problem, message.effects);
        break;
      case "progress":
        this.calls.progress(message.id, message.text);
        break;
      case "request":
        void this.#questions.answer(message.id, message.request, this.calls.during(message.during));
        break;
      case "cancel":
        this.#questions.cancel(message.id);
        break;
      case "failed":
        this.opening.failed(fromHostProblem(message.problem));
        break;
      default:
        this.#receiveOwn(message);
    }
  }

  #end(crash: PatchbayError): void {
    this.calls.end(crash);
    this.#questions.end(crash);
  }
}
