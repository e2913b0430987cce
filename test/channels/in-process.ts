import { setTimeout as wait } from "node:timers/promises";
import type {
  ChannelAgent,
  ChannelApproval,
  ChannelApprovalOutcome,
  ChannelHandle,
  ChannelMessage,
  PluginChannelContext,
} from "@patchbay/plugin-sdk";
import { createTestContext, type TestContext } from "@patchbay/plugin-sdk/test";

type Prompt = Parameters<ChannelAgent["prompt"]>[0];

export interface InProcessOptions {
  /** Plays the agent. Default: `re: <text>`. */
  prompt?: ChannelAgent["prompt"];
  /** Tells somebody who is not on the list that they may be let in. Default: nobody is told anything. */
  introduce?: NonNullable<ChannelAgent["introduce"]>;
  /** What an earlier process has stored. */
  storage?: Record<string, unknown>;
  /** Ids of people who were let in beside the settings. */
  letIn?: readonly string[];
  /** What the person chose for chats. Default: nobody tells the channel, which speaks English. */
  language?: string;
}

/** A channel in this process, with an agent that is played, for what only one platform does. */
export class InProcess implements AsyncDisposable {
  readonly test: TestContext;
  /** What the agent was asked. */
  readonly asked: Prompt[] = [];
  /** What it was told without being asked. */
  readonly remembered: ChannelMessage[] = [];
  /** How approvals were decided: `<request> <decision> <user>`. */
  readonly decided: string[] = [];
  readonly credentialsRefused: boolean[] = [];
  #listener: Parameters<NonNullable<ChannelAgent["followApprovals"]>>[0] | null = null;
  #handle: ChannelHandle | undefined;
  /** How many of the errors `told` has gone through. */
  #read = 0;

  static async start(
    start: (ctx: PluginChannelContext) => Promise<ChannelHandle | undefined>,
    options: InProcessOptions = {},
  ): Promise<InProcess> {
    const channel = new InProcess(options);
    channel.#handle = await start(channel.test.ctx);
    return channel;
  }

  private constructor(options: InProcessOptions) {
    const prompt: ChannelAgent["prompt"] = async (input) => {
      this.asked.push(input);
      return options.prompt?.(input) ?? { sessionId: "s", text: `re: ${input.text}` };
    };
    this.test = createTestContext({ prompt, ...(options.storage && { storage: options.storage }) });
    const { ctx } = this.test;
    const { reportRuntimeError } = ctx;
    ctx.reportRuntimeError = (error, more) => {
      this.credentialsRefused.push(more?.credentialsRefused === true);
      reportRuntimeError(error);
    };
    Object.assign(ctx.agent, this.#approvals());
    if (options.introduce) Object.assign(ctx.agent, { introduce: options.introduce });
    const { letIn, language } = options;
    if (language !== undefined)
      ctx.agent.followLanguage = (listener) => {
        setImmediate(() => listener(language));
        return () => {};
      };
    const listed = letIn?.map((userId) => ({ userId, role: "user" as const }));
    if (listed)
      ctx.agent.followPeople = (listener) => {
        // As in Patchbay, a moment after the start.
        setImmediate(() => listener({ listed, waiting: [] }));
        return () => {};
      };
  }

  get handle(): ChannelHandle {
    if (!this.#handle) throw new Error("The channel did not start.");
    return this.#handle;
  }

  get state(): Record<string, unknown> {
    return this.test.state;
  }

  get error(): string | null {
    return this.test.error;
  }

  /** Everything that was logged or shown, as one text. */
  get words(): string {
    return JSON.stringify([this.test.logs, this.test.errors, this.test.patches]);
  }

  ask(approval: Partial<ChannelApproval> = {}): void {
    const base = { requestId: "req-1", shortId: "7", tool: "http.get", arguments: "{}", sessionId: "s" };
    this.#listener?.asked({
      conversation: null,
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
      ...base,
      ...approval,
    });
  }

  settle(outcome: ChannelApprovalOutcome, requestId = "req-1"): void {
    this.#listener?.settled(requestId, outcome);
  }

  async connected(): Promise<void> {
    await until("connected", () => this.state.status === "connected");
  }

  /** Resolves when an error with these words was shown since the last call, though it may be over by now. */
  async told(words: string): Promise<void> {
    const { errors } = this.test;
    const next = () => errors.findIndex((error, index) => index >= this.#read && error?.includes(words));
    await until(`it is told: ${words}`, () => next() >= 0);
    this.#read = next() + 1;
  }

  /** How often it reported that it is in this state. */
  timesIn(status: string): number {
    return this.test.patches.filter((patch) => patch.status === status).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.test.abort();
    await this.#handle?.stop();
  }

  #approvals(): Pick<ChannelAgent, "append" | "followApprovals" | "review"> {
    return {
      append: async (message) => {
        this.remembered.push(message);
        return { sessionId: "s" };
      },
      followApprovals: (listener) => {
        this.#listener = listener;
        return () => {
          this.#listener = null;
        };
      },
      review: async ({ request, decision, userId }) => {
        this.decided.push(`${request} ${decision} ${userId}`);
        const outcome = decision === "allow" ? "allowed" : "refused";
        this.settle(outcome);
        return { outcome };
      },
    };
  }
}

/** Resolves when a condition holds that others bring about; looks every few milliseconds. */
export async function until(what: string, holds: () => boolean, limitMs = 30_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited too long until ${what}.`);
    await wait(5);
  }
}
