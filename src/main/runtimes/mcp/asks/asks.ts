import { pathToFileURL } from "node:url";
import type { Client, ClientCapabilities } from "@modelcontextprotocol/client";
import { type DialogAnswer, type FormValues, PatchbayError } from "../../../../contract/index.ts";
import type { CallScope } from "../../plugin-call.ts";
import type { StartRequest } from "../../runtime.ts";
import { AskingCall } from "./asking-call.ts";
import { elicitationIdOf, readQuestion } from "./questions.ts";
import { Sampling } from "./sampling.ts";
import { takeServerLog } from "./server-log.ts";

/** Most questions within one call, and outside of calls until the next one. Then nobody is asked any more. */
const MOST_ASKED = 10;
/** Most questions that wait for those before them. */
const MOST_WAITING = 10;

/** An answer to `elicitation/create`, as the protocol has it. */
export type Elicited = { action: "accept"; content?: FormValues } | { action: "decline" | "cancel" };

/** What a server may ask of its host, for one start of it. Questions are put one after the other. */
export class ServerAsks {
  readonly capabilities: ClientCapabilities;
  readonly #request: Pick<StartRequest, "plugin" | "workspace" | "services">;
  readonly #calls = new Set<AskingCall>();
  readonly #sampling: Sampling;
  /** By the server's own names: to be called when it says that it is done with an address. */
  readonly #finished = new Map<string, () => void>();
  /** Settles when the question that was asked last is answered. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Questions outside of calls. */
  #unbidden = 0;

  constructor(request: Pick<StartRequest, "plugin" | "workspace" | "services">) {
    this.#request = request;
    this.#sampling = new Sampling(request, this.#calls);
    this.capabilities = {
      roots: {},
      elicitation: { form: {}, url: {} },
      ...(this.#sampling.isGranted && { sampling: {} }),
    };
  }

  /** Serves the questions that a server of the older era sends by itself, and takes its log. */
  serve(client: Client): void {
    client.setRequestHandler("roots/list", () => this.roots());
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => {
      // Which call it belongs to is not said. It goes away when none of those is left that may have asked.
      return this.#elicit(params, [...this.#calls], mcpReq.signal);
    });
    this.#sampling.serve(client);
    client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
      this.#finished.get(params.elicitationId)?.();
    });
    takeServerLog(client, this.#request.services, () =>
      this.#calls.size === 1 ? [...this.#calls][0]?.scope : undefined,
    );
  }

  /** Notes that a call is under way, until `end`. */
  begin(doing: string, scope: CallScope): AskingCall {
    const call = new AskingCall(doing, scope);
    this.#unbidden = 0;
    this.#calls.add(call);
    return call;
  }

  end(call: AskingCall): void {
    this.#calls.delete(call);
    call.end();
  }

  /**
   * Answers what a server of the newer era wants before it goes on with a call.
   * @throws PatchbayError TOOL_FAILED for what no server may ask
   */
  async answer(method: string, params: unknown, call: AskingCall): Promise<object> {
    switch (method) {
      case "roots/list":
        return this.roots();
      case "elicitation/create":
        return this.#elicit(params, [call]);
      case "sampling/createMessage":
        if (this.#sampling.isGranted) return this.#sampling.answer(params, call);
    }
    throw new PatchbayError(
      "TOOL_FAILED",
      `${this.#request.plugin.displayName} asked for something that Patchbay does not give: ${method.slice(0, 80)}.`,
    );
  }

  /** Asks the person to open an address, as {@link answer} does. */
  open(params: unknown, call: AskingCall): Promise<Elicited> {
    return this.#elicit(params, [call]);
  }

  /** The agent's workspace alone. It is a hint for the server, and no wall. */
  roots(): { roots: { uri: string; name: string }[] } {
    const { workspace, plugin } = this.#request;
    if (workspace === "") return { roots: [] };
    return { roots: [{ uri: pathToFileURL(workspace).href, name: plugin.displayName }] };
  }

  /** @param calls those that may have asked; the last one is taken for the one that did */
  async #elicit(params: unknown, calls: readonly AskingCall[], given?: AbortSignal): Promise<Elicited> {
    const call = calls.at(-1);
    const asked = call ? ++call.asked : ++this.#unbidden;
    if (asked > MOST_ASKED || this.#waiting >= MOST_WAITING) return this.#tooMuch(asked);
    this.#waiting += 1;
    // The server may say that it is done with an address before it was shown.
    const finished = new AbortController();
    const elicitationId = elicitationIdOf(params);
    if (elicitationId !== null) this.#finished.set(elicitationId, () => finished.abort());
    const before = this.#last;
    const mine = before.then(() => this.#put(params, calls, { given, finished: finished.signal }));
    this.#last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      this.#waiting -= 1;
      if (elicitationId !== null) this.#finished.delete(elicitationId);
    }
  }

  #tooMuch(asked: number): Elicited {
    const { services } = this.#request;
    if (asked === MOST_ASKED + 1 || asked <= MOST_ASKED)
      services.log("warn", "It asked again and again; the person is not asked any more.", "patchbay");
    return { action: "cancel" };
  }

  async #put(
    params: unknown,
    calls: readonly AskingCall[],
    { given, finished }: { given: AbortSignal | undefined; finished: AbortSignal },
  ): Promise<Elicited> {
    const { services, plugin } = this.#request;
    const read = readQuestion(params);
    if ("refused" in read) {
      services.refused(read.target, read.refused);
      return { action: "decline" };
    }
    const call = calls.at(-1);
    const gone = new AbortController();
    const left = new Set(calls.filter((one) => this.#calls.has(one)));
    if (calls.length > 0 && left.size === 0) return { action: "cancel" };
    const unfollow = [...left].map((one) =>
      one.onOver(() => {
        left.delete(one);
        if (left.size === 0) gone.abort();
      }),
    );
    try {
      const signal = AbortSignal.any([gone.signal, finished, ...(given ? [given] : [])]);
      const answer = await services.ask(
        read.question,
        call?.doing ?? plugin.displayName,
        call?.scope,
        signal,
      );
      return finished.aborted ? { action: "accept" } : elicitedBy(answer, read.question.kind);
    } finally {
      for (const stop of unfollow) stop();
    }
  }
}

function elicitedBy(answer: DialogAnswer, kind: string): Elicited {
  if (typeof answer !== "object" || answer === null || !("action" in answer)) return { action: "cancel" };
  if (answer.action === "decline") return { action: "decline" };
  return { action: "accept", ...(kind === "form" && { content: answer.values }) };
}
