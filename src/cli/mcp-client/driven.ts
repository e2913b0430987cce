import {
  type ContentPart,
  PatchbayError,
  type Problem,
  type ToolInfo,
  toProblem,
} from "../../contract/index.ts";
import { type PluginCall, scopeOutsideTurns } from "../../main/runtimes/plugin-call.ts";
import type {
  HostServices,
  InstanceContributions,
  PluginInstance,
  PromptInfo,
} from "../../main/runtimes/runtime.ts";
import type { Grant } from "../../main/setup/oauth/types.ts";
import { defaultAnswer } from "./answers.ts";
import { argumentsFor } from "./arguments.ts";

/** Most tools, prompts and resources that are asked for, each. */
const MOST = 1_000;

/** Most sign-ins for one call. */
const MOST_SIGN_INS = 2;

/** Whether an error says that a sign-in would help. */
export function wantsSignIn(error: unknown): boolean {
  return error instanceof PatchbayError && ["NEEDS_SETUP", "CREDENTIALS_REFUSED"].includes(error.code);
}

/** `failed`: the server says so itself, which is an answer; `broken`: there was no answer that can be used. */
export type Outcome = "done" | "failed" | "broken";

/** One thing that was asked for. */
export interface Tried {
  name: string;
  outcome: Outcome;
  /** What it was given. */
  input?: Record<string, unknown>;
  /** What it answered. */
  content?: ContentPart[];
  details?: unknown;
  /** How often it said how far it is. */
  updates?: number;
  problem?: Problem;
}

/** What was asked for while a server was driven. */
export interface Driven {
  tools: Tried[];
  prompts: Tried[];
  resources: Tried[];
  /** What the server asked, and what it was answered. */
  asked: { question: unknown; answer: unknown }[];
  problems: Problem[];
}

/** Asks a started server for all that it offers, each once. */
export class Drive {
  readonly services: HostServices;
  /** What the last sign-in gave. */
  grant: Grant | null = null;
  /** Signs in again; absent: nobody can. */
  signIn: (() => Promise<void>) | undefined;
  readonly #into: Driven;
  readonly #timeoutMs: number;
  #now: InstanceContributions | undefined;

  constructor(into: Driven, timeoutMs: number) {
    this.#into = into;
    this.#timeoutMs = timeoutMs;
    const kept = new Map<string, unknown>();
    const profiles = new Map<string, Record<string, string>>();
    this.services = {
      refused: () => {},
      log: () => {},
      reportError: (message, refused = false) => {
        // What signing in helps against is tried, and said then.
        if (message !== null && !refused) into.problems.push({ code: "HOST_CRASHED", message });
      },
      reportState: () => {},
      contributionsChanged: (all) => {
        this.#now = all;
      },
      storage: {
        get: async (key) => kept.get(key),
        set: async (key, value) => void kept.set(key, value),
        delete: async (key) => void kept.delete(key),
      },
      credentials: {
        get: async (profile) => profiles.get(profile) ?? null,
        set: async (profile, values) =>
          void (values === null ? profiles.delete(profile) : profiles.set(profile, values)),
      },
      signedIn: () => this.grant !== null,
      oauthToken: async (refused) => {
        // One that is refused is not renewed but asked for anew: that is tried in any case.
        if (this.grant === null || this.grant.accessToken === refused)
          throw new PatchbayError("CREDENTIALS_REFUSED", "The sign-in is not accepted any more.");
        return this.grant.accessToken;
      },
      ask: async (question) => {
        const answer = defaultAnswer(question);
        into.asked.push({ question, answer });
        return answer;
      },
    };
  }

  /** Calls each tool, prompt and resource once, and those that come meanwhile. Rejects only when it is stopped. */
  async all(instance: PluginInstance, signal: AbortSignal): Promise<void> {
    const offered = () => this.#now ?? instance.contributions;
    const done = new Set<string>();
    for (;;) {
      const tool = offered().tools.find(({ name, reading }) => !reading && !done.has(name));
      if (tool === undefined || done.size >= MOST) break;
      done.add(tool.name);
      this.#into.tools.push(await this.#tool(instance, tool, signal));
    }
    for (const prompt of offered().prompts.slice(0, MOST))
      this.#into.prompts.push(await this.#prompt(instance, prompt, signal));
    if (offered().resources) await this.#readAll(instance, signal);
    for (const note of offered().notes ?? [])
      this.#into.problems.push({ code: "MANIFEST_INVALID", message: note });
  }

  async #tool(instance: PluginInstance, tool: ToolInfo, signal: AbortSignal): Promise<Tried> {
    const input = argumentsFor(tool.parameters);
    let updates = 0;
    const onUpdate = () => {
      updates += 1;
    };
    const call = { kind: "tool", name: tool.name, input, toolCallId: tool.name, onUpdate } as const;
    // Behind the first dot of a title stands what the server itself calls it.
    const name = tool.title?.slice(`${tool.owner}.`.length) ?? tool.name;
    const tried = await this.#try(name, signal, async (limited) => {
      const { content, details } = await this.#call(instance, call, limited);
      return { content, ...(details !== undefined && { details }) };
    });
    return { ...tried, input, ...(updates > 0 && { updates }) };
  }

  async #prompt(instance: PluginInstance, prompt: PromptInfo, signal: AbortSignal): Promise<Tried> {
    const args = Object.fromEntries(
      prompt.arguments.filter(({ required }) => required).map(({ name }) => [name, "test"]),
    );
    const tried = await this.#try(prompt.name, signal, async (limited) => {
      const call = { kind: "prompt", name: prompt.name, args } as const;
      const { messages } = await this.#call(instance, call, limited);
      return { content: messages.flatMap(({ content }) => content) };
    });
    return { ...tried, input: args };
  }

  /** Reads each resource that is listed. Templates are made into addresses by people, and named alone. */
  async #readAll(instance: PluginInstance, signal: AbortSignal): Promise<void> {
    let uris: string[] = [];
    const listed = await this.#try("The list of its resources", signal, async (limited) => {
      const { resources } = await this.#call(instance, { kind: "resources" }, limited);
      uris = resources.map(({ uri }) => uri);
      return {};
    });
    if (listed.outcome !== "done") this.#into.resources.push(listed);
    for (const uri of uris.slice(0, MOST))
      this.#into.resources.push(
        await this.#try(uri, signal, async (limited) => {
          const { contents } = await this.#call(instance, { kind: "resource", uri }, limited);
          return { details: contents };
        }),
      );
  }

  #call<C extends PluginCall>(instance: PluginInstance, call: C, signal: AbortSignal) {
    return instance.call(call, scopeOutsideTurns(signal, this.#timeoutMs));
  }

  /** Signs in and does the work again, when it failed for want of that. A right that is missing can be the second one. */
  async #signedInFor<T>(error: unknown, work: () => Promise<T>): Promise<T> {
    for (let tries = 0, last = error; ; tries += 1) {
      if (tries === MOST_SIGN_INS || !this.signIn || !wantsSignIn(last)) throw last;
      await this.signIn();
      try {
        return await work();
      } catch (next) {
        last = next;
      }
    }
  }

  /** The limit of a call is the pool's elsewhere; here nobody else has one. */
  async #try(
    name: string,
    stopped: AbortSignal,
    work: (limited: AbortSignal) => Promise<Pick<Tried, "content" | "details">>,
  ): Promise<Tried> {
    const late = AbortSignal.timeout(this.#timeoutMs);
    const limited = AbortSignal.any([stopped, late]);
    try {
      const answer = await work(limited).catch((error: unknown) =>
        this.#signedInFor(error, () => work(limited)),
      );
      return { name, outcome: "done", ...answer };
    } catch (error) {
      stopped.throwIfAborted();
      const problem = late.aborted
        ? new PatchbayError(
            "TOOL_TIMEOUT",
            `${name} gave no answer in ${Math.round(this.#timeoutMs / 1_000)} s.`,
          ).toProblem()
        : toProblem(error);
      const isAnswer = problem.code === "TOOL_FAILED" && !(error instanceof Error && error.cause);
      if (!isAnswer) this.#into.problems.push(problem);
      return { name, outcome: isAnswer ? "failed" : "broken", problem };
    }
  }
}
