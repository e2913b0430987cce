import {
  type Agent,
  type DialogAnswer,
  type DialogSubject,
  PatchbayError,
  type Plugin,
  type RecordFact,
} from "../../../contract/index.ts";
import { cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";
import type { Clock } from "../../base/clock.ts";
import type { CallScope, ModelReply, ModelRequest } from "../../runtimes/plugin-call.ts";
import type { HostServices } from "../../runtimes/runtime.ts";
import { aborted } from "../call-limit.ts";
import type { Dialogs } from "../dialogs.ts";
import { readyModel } from "../models/index.ts";
import { modelLabel } from "../models/model.ts";
import type { SecretLookup } from "../ports.ts";
import { askLent } from "./ask-lent.ts";
import { checkRequest } from "./check-request.ts";

/** The longest answer, in tokens, whatever a plugin asks for. */
const MOST_TOKENS = 4_096;
/** Most requests in one call of a plugin. */
const MOST_OF_A_CALL = 10;
/** Most requests that wait for those before them. */
const MOST_WAITING = 10;

interface LendingOptions {
  agents: { get(id: string): Agent | undefined };
  dialogs: Pick<Dialogs, "ask" | "limits">;
  secrets: SecretLookup;
  clock: Clock;
  /** Whether the person lets the plugin ask the model of this agent. */
  isGranted(agentId: string, plugin: Plugin): boolean;
  record(during: CallScope, fact: RecordFact & { type: "model_lent" }): void;
}

/** Asks agents' models for plugins that the person lets do that, each request only when the person agreed to it. */
export class ModelLending {
  readonly #options: LendingOptions;

  constructor(options: LendingOptions) {
    this.#options = options;
  }

  /** The way of one run of a plugin to the model of its agent; undefined: it has none. */
  of(agentId: string, plugin: Plugin): HostServices["askModel"] {
    if (!this.#options.isGranted(agentId, plugin)) return undefined;
    const run = new LentModel(agentId, plugin, this.#options);
    return (request, context, during, signal) => run.ask(request, context, during, signal);
  }
}

class LentModel {
  readonly #agentId: string;
  readonly #plugin: Plugin;
  readonly #options: LendingOptions;
  /** How often each call asked. */
  readonly #asked = new WeakMap<CallScope, number>();
  /** Conversations in which nothing more is asked of the person. */
  readonly #allowed = new Set<string>();
  /** Settles when the request before is over. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(agentId: string, plugin: Plugin, options: LendingOptions) {
    this.#agentId = agentId;
    this.#plugin = plugin;
    this.#options = options;
  }

  async ask(
    given: ModelRequest,
    context: string,
    during: CallScope,
    signal?: AbortSignal,
  ): Promise<ModelReply | null> {
    checkRequest(given);
    const count = (this.#asked.get(during) ?? 0) + 1;
    this.#asked.set(during, count);
    if (count > MOST_OF_A_CALL || this.#waiting >= MOST_WAITING) return null;
    const until = signal ? AbortSignal.any([during.signal, signal]) : during.signal;
    this.#waiting += 1;
    const { dialogs } = this.#options;
    const key = this.#plugin.manifestKey;
    const release = dialogs.limits.hold(
      (place) => place.agentId === this.#agentId && place.pluginKey === key,
    );
    const mine = this.#last.then(() => this.#one(given, context, during, until));
    this.#last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      this.#waiting -= 1;
      release();
    }
  }

  async #one(
    given: ModelRequest,
    context: string,
    during: CallScope,
    signal: AbortSignal,
  ): Promise<ModelReply | null> {
    const { agents, secrets, clock, isGranted, record } = this.#options;
    const agent = agents.get(this.#agentId);
    if (signal.aborted || !agent || !isGranted(agent.id, this.#plugin)) return null;
    const ready = await readyModel(agent, secrets, [], clock);
    const own = ready.model.maxTokens > 0 ? ready.model.maxTokens : MOST_TOKENS;
    const request = {
      ...this.#shown(given),
      maxTokens: Math.min(given.maxTokens, MOST_TOKENS, own),
    };
    if (!(await this.#isAllowed(agent, request, context, during, signal))) return null;
    if (signal.aborted) throw aborted("The question to the model");
    const owner = this.#plugin.manifestKey;
    const { fact, reply } = await askLent(ready, request, { owner, clock, signal });
    record(during, fact);
    if (signal.aborted) throw aborted("The question to the model");
    if (fact.problem) {
      const { code, message } = fact.problem;
      throw new PatchbayError(code, secrets.redact(message));
    }
    return { ...reply, text: secrets.redact(reply.text) };
  }

  /** What is sent is what is shown: without stored secrets, and without what nobody sees. */
  #shown({ system, messages, ...rest }: ModelRequest): ModelRequest {
    const { secrets } = this.#options;
    const shown = (text: string) => secrets.redact(cleanText(text));
    return {
      ...rest,
      system: shown(system),
      messages: messages.map((message) => ({ ...message, text: shown(message.text) })),
    };
  }

  async #isAllowed(
    agent: Agent,
    { system, messages, maxTokens }: ModelRequest,
    context: string,
    during: CallScope,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { sessionId } = during;
    if (sessionId !== "" && this.#allowed.has(sessionId)) return true;
    const model = modelLabel(agent.model);
    const about: DialogSubject = {
      kind: "model",
      model,
      system,
      messages: messages.map(({ role, text, pictures }) => ({ role, text, pictures: pictures.length })),
      mostTokens: maxTokens,
    };
    const answer: DialogAnswer = await this.#options.dialogs.ask(
      agent.id,
      this.#plugin.manifestKey,
      {
        kind: "select",
        message: `${cleanLine(this.#plugin.displayName)} wants to ask the model ${model}.`,
        options: [
          { value: "once", label: "Allow once" },
          ...(sessionId === "" ? [] : [{ value: "session", label: "Allow for this conversation" }]),
          { value: "no", label: "Do not allow" },
        ],
        default: "no",
      },
      context,
      signal,
      { about, during },
    );
    if (answer === "session") this.#allowed.add(sessionId);
    return answer === "once" || answer === "session";
  }
}
