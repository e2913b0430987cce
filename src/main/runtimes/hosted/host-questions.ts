import { PatchbayError, type Plugin, toProblem } from "../../../contract/index.ts";
import type { ChannelServices } from "../channel-door.ts";
import type { CallScope } from "../plugin-call.ts";
import type { HostServices } from "../runtime.ts";
import type { HostLine } from "./host-line.ts";
import type { HostRequest } from "./protocol.ts";

/** What a plugin may ask of its host, and the call during which it asks. */
export interface Question {
  request: HostRequest;
  during: { scope: CallScope | undefined; doing: string } | undefined;
  /** Aborted when the plugin gives up, or is gone. */
  signal: AbortSignal;
  /** Sends a piece of the answer ahead. */
  delta(text: string): void;
}

/** Most questions that wait at the same time. */
const MOST_WAITING = 10_000;
const TWICE = "The plugin's process asked two questions with the same number; the second was dropped.";

/** The questions of plugin code that wait for an answer. Each gets exactly one: an answer or a refusal. */
export class HostQuestions {
  readonly #line: HostLine;
  readonly #serve: (question: Question) => Promise<unknown>;
  readonly #waiting = new Map<number, AbortController>();

  constructor(line: HostLine, serve: (question: Question) => Promise<unknown>) {
    this.#line = line;
    this.#serve = serve;
  }

  async answer(id: number, request: HostRequest, during: Question["during"]): Promise<void> {
    if (this.#waiting.has(id)) return this.#line.refuse("a question", TWICE);
    if (this.#waiting.size >= MOST_WAITING) return this.#refuseMore(id);
    const controller = new AbortController();
    this.#waiting.set(id, controller);
    const delta = (text: string) => this.#line.post({ t: "delta", id, text });
    try {
      const value = await this.#serve({ request, during, signal: controller.signal, delta });
      this.#line.post({ t: "answer", id, value });
    } catch (error) {
      this.#line.post({ t: "refusal", id, problem: toProblem(error) });
    } finally {
      this.#waiting.delete(id);
    }
  }

  #refuseMore(id: number): void {
    const message = `More than ${MOST_WAITING} questions of the plugin wait for an answer; this one was refused.`;
    this.#line.post({ t: "refusal", id, problem: new PatchbayError("RATE_LIMITED", message).toProblem() });
    this.#line.refuse("questions", message);
  }

  /** The plugin no longer waits for the answer. */
  cancel(id: number): void {
    this.#waiting.get(id)?.abort();
  }

  end(reason: PatchbayError): void {
    for (const controller of this.#waiting.values()) controller.abort(reason);
  }
}

/** Answers the questions of a running plugin from its services. */
export class ServedQuestions {
  readonly #plugin: Plugin;
  readonly #services: HostServices;
  readonly #line: HostLine;
  #unfollow: (() => void) | undefined;
  #unfollowPeople: (() => void) | undefined;
  #unfollowLanguage: (() => void) | undefined;

  constructor(plugin: Plugin, services: HostServices, line: HostLine) {
    this.#plugin = plugin;
    this.#services = services;
    this.#line = line;
  }

  async serve({ request, during, signal, delta }: Question): Promise<unknown> {
    const { storage, credentials, oauthToken, ask, code } = this.#services;
    switch (request.kind) {
      case "storage.get":
        return storage.get(request.key);
      case "storage.set":
        return storage.set(request.key, request.value);
      case "storage.delete":
        return storage.delete(request.key);
      case "credentials.get":
        return credentials.get(request.profile);
      case "credentials.set":
        return credentials.set(request.profile, request.values);
      case "oauth.token":
        return oauthToken(request.refused);
      case "ask":
        return ask(request.question, during?.doing ?? "plugin", during?.scope);
      case "code.has":
        return (await code?.has(request.file)) ?? false;
      case "code.ask": {
        const { kind: _, ...question } = request;
        return (await code?.ask(question, signal)) ?? null;
      }
      case "prompt":
        return this.#channel(request.kind).prompt({
          ...request.message,
          onDelta: request.deltas ? delta : undefined,
          signal,
        });
      case "append":
        return this.#channel(request.kind).append(request.message);
      case "end":
        return this.#channel(request.kind).end(request.conversation);
      case "people.follow":
        this.#followPeople();
        return null;
      case "language.follow":
        this.#followLanguage();
        return null;
      case "introduce": {
        const { kind, ...stranger } = request;
        return this.#channel(kind).introduce(stranger);
      }
      case "pair": {
        const { kind, ...given } = request;
        return this.#channel(kind).pair(given);
      }
      case "approvals.follow":
        this.#followApprovals(request.characters);
        return null;
      case "review": {
        const { kind, ...review } = request;
        return this.#channel(kind).review(review);
      }
    }
  }

  end(): void {
    this.#unfollow?.();
    this.#unfollowPeople?.();
    this.#unfollowLanguage?.();
  }

  /**
   * @throws PatchbayError FORBIDDEN for plugins that are no channel: only a channel may bring messages from outside to
   * the agent.
   */
  #channel(what: HostRequest["kind"]): ChannelServices {
    if (this.#services.channel) return this.#services.channel.agent;
    const asked = `It asked for what only channels may: ${what}. It is no channel, so that was refused.`;
    this.#line.refuse(`the agent's conversations (${what})`, asked);
    throw new PatchbayError("FORBIDDEN", `${this.#plugin.displayName} is no channel.`, {
      help: "A plugin that brings messages declares the capability `channel`.",
    });
  }

  #followPeople(): void {
    const channel = this.#channel("people.follow");
    this.#unfollowPeople ??= channel.followPeople((people) => this.#line.post({ t: "people", people }));
  }

  #followLanguage(): void {
    const channel = this.#channel("language.follow");
    this.#unfollowLanguage ??= channel.followLanguage((language) =>
      this.#line.post({ t: "language", language }),
    );
  }

  #followApprovals(characters: number | undefined): void {
    const channel = this.#channel("approvals.follow");
    this.#unfollow ??= channel.followApprovals(
      {
        asked: (approval) => this.#line.post({ t: "approvalAsked", approval }),
        settled: (requestId, outcome) => this.#line.post({ t: "approvalSettled", requestId, outcome }),
      },
      characters,
    );
  }
}
