import {
  type ChannelClock,
  ChannelFailure,
  type ChannelOptions,
  type ChannelPort,
  type ChannelTransport,
  type InboundMessage,
  type OutgoingPiece,
  runChannel,
  type SentPiece,
  type SoughtPiece,
} from "../../src/channel/index.ts";
import type {
  ChannelAgent,
  ChannelAnswer,
  ChannelApproval,
  ChannelMessage,
  ChannelPeople,
} from "../../src/channel-agent.ts";
import { createTestContext, type TestContext } from "../../src/test/index.ts";

/** Waits until all work is done that needs no timer. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock whose time passes only when the test says so. */
export class ManualClock implements ChannelClock {
  #now = Date.UTC(2026, 0, 1);
  #timers: { at: number; action: () => void }[] = [];
  /** The lengths of all waits, in milliseconds, in the order in which they were begun. */
  readonly waits: number[] = [];

  now = () => this.#now;
  random = () => 0.5;
  limit = (ms: number, action: () => void) => this.#timer(ms, action);
  after = (ms: number, action: () => void) => {
    this.waits.push(ms);
    return this.#timer(ms, action);
  };

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      this.#timers.sort((a, b) => a.at - b.at);
      const next = this.#timers[0];
      if (!next || next.at > end) break;
      this.#timers.shift();
      this.#now = next.at;
      next.action();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** Changes the time of day, as when a person sets the clock; running waits take as long as before. */
  skew(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) timer.at += ms;
  }

  #timer(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
}

/** A platform in memory. It keeps the sent messages, and its calls can be made to fail. */
export class MemoryTransport implements ChannelTransport {
  limits: ChannelTransport["limits"] = { piece: 100, unit: "chars", editEveryMs: 1_500, buttons: true };
  readonly sent: { conversation: string; id: string; text: string; piece: OutgoingPiece }[] = [];
  readonly edits: { id: string; text: string; draft: boolean; piece: OutgoingPiece }[] = [];
  readonly removed: string[] = [];
  readonly files: string[] = [];
  connects = 0;
  port: ChannelPort | null = null;
  /** The errors with which the next calls of each kind fail. */
  failing: { connect: unknown[]; send: unknown[]; edit: unknown[] } = { connect: [], send: [], edit: [] };
  /** The next calls of `send` take the message and are cut off before they can say so. */
  cutOff = 0;
  /** Whether the platform shows its history, and for what it was asked to look. */
  history: "kept" | "none" | "hidden" = "none";
  readonly sought: string[] = [];

  async connect(port: ChannelPort): Promise<{ account: string }> {
    this.connects += 1;
    const failure = this.failing.connect.shift();
    if (failure !== undefined) throw failure;
    this.port = port;
    return { account: "@memory" };
  }
  async close(): Promise<void> {
    this.port = null;
  }
  async send(conversation: string, piece: OutgoingPiece): Promise<{ messageId: string }> {
    const failure = this.failing.send.shift();
    if (failure !== undefined) throw failure;
    const id = `m${this.sent.length + 1}`;
    this.sent.push({ conversation, id, text: piece.text, piece });
    if (this.cutOff > 0) {
      this.cutOff -= 1;
      throw new ChannelFailure("offline", "cut off");
    }
    return { messageId: id };
  }
  async wasSent(conversation: string, { id, text }: SoughtPiece): Promise<SentPiece | null | "unknown"> {
    if (this.history === "none") return "unknown";
    this.sought.push(text);
    if (this.history === "hidden") return "unknown";
    const found = this.sent.find((one) => one.conversation === conversation && one.piece.id === id);
    return found ? { messageId: found.id } : null;
  }
  async edit(_conversation: string, id: string, piece: OutgoingPiece): Promise<void> {
    const failure = this.failing.edit.shift();
    if (failure !== undefined) throw failure;
    this.edits.push({ id, text: piece.text, draft: piece.draft, piece });
    const message = this.sent.find((one) => one.id === id);
    if (message) message.text = piece.text;
  }
  async remove(_conversation: string, id: string): Promise<void> {
    this.removed.push(id);
  }
  async sendFile(_conversation: string, file: { name: string }): Promise<{ messageId: string }> {
    this.files.push(file.name);
    return { messageId: `f${this.files.length}` };
  }

  /** The texts that a conversation shows now. */
  texts(conversation: string): string[] {
    return this.sent.filter((one) => one.conversation === conversation).map(({ text }) => text);
  }
}

type Prompt = Parameters<ChannelAgent["prompt"]>[0];

/** An agent that answers when the test says so. It answers each message once, as the real one does. */
export class MemoryAgent implements ChannelAgent {
  readonly prompts: Prompt[] = [];
  readonly appended: ChannelMessage[] = [];
  readonly ended: string[] = [];
  readonly reviews: { request: string; decision: string; userId: string }[] = [];
  answer: (input: Prompt) => Promise<Partial<ChannelAnswer> & { text: string }> = async ({ text }) => ({
    text: `re: ${text}`,
  });
  listener: Parameters<NonNullable<ChannelAgent["followApprovals"]>>[0] | null = null;
  readonly #answers = new Map<string, ChannelAnswer>();

  prompt = async (input: Prompt): Promise<ChannelAnswer> => {
    this.prompts.push(input);
    const key = `${input.conversation}\n${input.messageId}`;
    const known = this.#answers.get(key);
    if (known) return known;
    const stopped = new Promise<never>((_, reject) => {
      input.signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
    });
    const answer = { sessionId: "s", ...(await Promise.race([this.answer(input), stopped])) };
    this.#answers.set(key, answer);
    return answer;
  };
  append = async (input: ChannelMessage) => {
    this.appended.push(input);
    return { sessionId: "s" };
  };
  /** The language of chats at the start. */
  language = "en";
  readonly #followLanguage = new Set<(language: string) => void>();
  followLanguage = (listener: (language: string) => void) => {
    this.#followLanguage.add(listener);
    listener(this.language);
    return () => void this.#followLanguage.delete(listener);
  };
  /** The person chooses another language for chats. */
  speak(language: string): void {
    this.language = language;
    for (const listener of this.#followLanguage) listener(language);
  }
  /** People as Patchbay knows them, and what it says to strangers. */
  people: ChannelPeople = { listed: [], waiting: [] };
  readonly strangers: { userId: string; userName?: string }[] = [];
  readonly pairs: { code: string; userId: string }[] = [];
  #followsPeople: ((people: ChannelPeople) => void) | null = null;

  followPeople = (listener: (people: ChannelPeople) => void) => {
    this.#followsPeople = listener;
    listener(this.people);
    return () => {
      this.#followsPeople = null;
    };
  };
  /** The person decides about somebody. */
  decide(userId: string, role: "owner" | "user" | null): void {
    const waiting = this.people.waiting.filter((id) => id !== userId);
    const listed = this.people.listed.filter((person) => person.userId !== userId);
    this.people = { waiting, listed: role === null ? listed : [...listed, { userId, role }] };
    this.#followsPeople?.(this.people);
  }
  introduce = async (stranger: { userId: string; userName?: string }) => {
    this.strangers.push(stranger);
    const isNew = !this.people.waiting.includes(stranger.userId);
    if (isNew) this.people = { ...this.people, waiting: [...this.people.waiting, stranger.userId] };
    this.#followsPeople?.(this.people);
    return { say: isNew ? `Your code: ${stranger.userId}.` : null, waits: true };
  };
  pair = async (given: { code: string; userId: string }) => {
    this.pairs.push(given);
    return { say: "Let in." };
  };
  end = async (conversation: string): Promise<void> => {
    this.ended.push(conversation);
  };
  followApprovals = (listener: NonNullable<MemoryAgent["listener"]>) => {
    this.listener = listener;
    return () => {
      this.listener = null;
    };
  };
  review = async (input: { request: string; decision: "allow" | "refuse"; userId: string }) => {
    this.reviews.push(input);
    return { outcome: input.decision === "allow" ? ("allowed" as const) : ("refused" as const) };
  };
}

export function approval(change: Partial<ChannelApproval> = {}): ChannelApproval {
  return {
    requestId: "r-1",
    shortId: "7",
    tool: "shell",
    arguments: '{"command":"ls"}',
    sessionId: "s",
    conversation: null,
    expiresAt: "2026-01-01T00:02:00.000Z",
    ...change,
  };
}

/** A channel with these parts, which can be killed and started again with the same storage. */
export class Bench {
  readonly clock = new ManualClock();
  transport = new MemoryTransport();
  agent = new MemoryAgent();
  context: TestContext = createTestContext();
  storage: Record<string, unknown> = {};
  options: Partial<ChannelOptions> = {};
  #next = 0;
  handle: Awaited<ReturnType<typeof runChannel>> | null = null;

  async start(): Promise<void> {
    this.context = createTestContext({ storage: this.storage });
    this.handle = await runChannel(
      {
        name: "Memory",
        transport: this.transport,
        clock: this.clock,
        access: {
          owners: ["olga"],
          users: ["uma"],
          everyone: false,
          groups: ["team"],
          groupsOnlyListed: false,
        },
        ...this.options,
      },
      { ...this.context.ctx, agent: this.agent },
    );
    await settled();
  }

  /** Ends the channel as `kill -9` would: only what is stored at this moment is left. */
  async kill(): Promise<void> {
    this.storage = Object.fromEntries(structuredClone(this.context.storage));
    this.context.abort();
    await settled();
  }

  /** Kills the channel and starts it again; the platform keeps the messages that it was sent. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  say(text: string, change: Partial<InboundMessage> = {}): Promise<void> {
    this.#next += 1;
    const message = { conversation: "dm", id: `in-${this.#next}`, from: { id: "olga" }, text, ...change };
    if (!this.transport.port) throw new Error("The channel is not connected.");
    return this.transport.port.message(message);
  }
}

/** A bench whose channel runs. `change` gets it before the start. */
export async function started(change: (bench: Bench) => void = () => {}): Promise<Bench> {
  const bench = new Bench();
  change(bench);
  await bench.start();
  return bench;
}
