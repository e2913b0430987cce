import type { ChannelHandle, PluginChannelContext, PluginLogger } from "../manifest.ts";
import { Access, type AccessRules } from "./access.ts";
import { Approvals } from "./approvals.ts";
import { ChannelState } from "./channel-state.ts";
import { type ChannelClock, systemClock } from "./clock.ts";
import { Conversations } from "./conversations.ts";
import { Exchanges } from "./exchanges.ts";
import { ChannelFailure, failureOf } from "./failure.ts";
import { Inbox } from "./inbox.ts";
import { Journal } from "./journal.ts";
import { Marks } from "./marks.ts";
import { Outbox } from "./outbox.ts";
import { Presences } from "./presences.ts";
import { redactor } from "./redact.ts";
import { Strangers } from "./strangers.ts";
import { Supervisor } from "./supervisor.ts";
import type { ChannelTransport } from "./transport.ts";
import { Words } from "./words/words.ts";

export interface ChannelOptions {
  /** The platform's name, for example `Telegram`. */
  name: string;
  transport: ChannelTransport;
  access: AccessRules;
  manners?: ChannelManners;
  /** Secret values, which are removed from logs and messages. */
  secrets?: readonly (string | undefined)[];
  clock?: ChannelClock;
  /** Called for requests to the channel's webhook, for platforms that have one. */
  handleWebhook?: ChannelHandle["handleWebhook"];
  /**
   * Says why a file could not be sent, a sentence of the transport's, in the language of the chats ({@link chatSayer}).
   * Default: as it is.
   */
  say?: (sentence: string) => string;
}

/** How the channel behaves towards those who write. */
export interface ChannelManners {
  /**
   * Messages that one person sends within so many milliseconds of each other become one turn, so each turn begins that
   * much later. Default: 0, each message is a turn.
   */
  joinMs?: number;
  /**
   * Bots that the access rules let in are answered so many times before a person has to write again; that is said in the
   * room once. Default: 0, bots are not answered.
   */
  botExchanges?: number;
  /** Messages are marked as seen and as worked on, where the transport can. Default: true. */
  marks?: boolean;
}

/** Milliseconds that "send a test message" waits for the platform. */
const SEND_MS = 20_000;

/**
 * Runs a channel: connects in the background, so that the plugin can start while the platform is unreachable, and
 * continues with the messages that an earlier process left unfinished.
 */
export async function runChannel(options: ChannelOptions, ctx: PluginChannelContext): Promise<ChannelHandle> {
  const { name, transport, manners = {} } = options;
  const { joinMs = 0, botExchanges = 0, marks: marksOn = true } = manners;
  const clock = options.clock ?? systemClock();
  const redact = redactor(options.secrets ?? []);
  const logger = redactedLogger(ctx.logger, redact);
  const stopping = new AbortController();
  const signal = AbortSignal.any([ctx.signal, stopping.signal]);
  const access = new Access(options.access);
  const words = new Words();
  words.follow(ctx.agent);
  const state: ChannelState = new ChannelState({
    ctx,
    clock,
    redact,
    name,
    queue: () => ({ in: journal.inbox.size + journal.backlog, out: journal.outbox.size }),
  });
  // The first thing that is known of a channel: what says nothing of its connection would be taken for one that works.
  state.status({ word: "connecting" });
  const journal = await Journal.open({
    storage: ctx.storage,
    logger,
    clock,
    onTrouble: (sentence) => state.storage(sentence),
    onChange: () => state.queue(),
  });
  const presences: Presences = await Presences.open({
    storage: ctx.storage,
    logger,
    drop: (conversation) => conversations.drop(conversation) + outbox.dropAll(conversation),
    end: async (conversation) => ctx.agent.end?.(conversation),
  });
  const supervisor: Supervisor = new Supervisor({
    transport,
    clock,
    signal,
    port: {
      message: (message) => inbox.accept(message),
      left: (conversation) => {
        strangers.left(conversation);
        presences.left(conversation);
      },
      back: (conversation) => outbox.back(conversation),
      mayWrite: async (userId) => {
        await strangers.known();
        return access.mayWrite(userId);
      },
      trouble: (sentence) => state.trouble(sentence),
      press: async ({ userId, aliases, data, conversation }) =>
        (await approvals.decide(data, { ids: [userId, ...(aliases ?? [])], conversation })) ??
        words.now.oldButton,
    },
    onStatus: (status) => {
      logger.info(
        `${name}: ${status.word}${"reason" in status && status.reason ? `, ${status.reason}` : ""}`,
      );
      state.status(status);
      if (status.word === "degraded" || status.word === "needs-login") presences.allLeft();
    },
  });
  const onFailure = (failure: ChannelFailure) => supervisor.report(failure);
  const outbox = new Outbox({
    journal,
    transport,
    clock,
    signal,
    words,
    say: options.say ?? ((sentence) => sentence),
    connected: () => supervisor.connected(),
    onFailure,
    onSent: () => state.sent(),
    onGivenUp: ({ conversation }, failure) => {
      if (failure.kind === "nobody" || failure.kind === "away") {
        journal.forgetOwnersIn(conversation);
        logger.warn(`A message was dropped: ${failure.message}`);
        return;
      }
      logger.error(`A message could not be delivered: ${failure.message}`);
      state.givenUp(failure.message);
    },
  });
  const approvals = new Approvals({
    agent: ctx.agent,
    access,
    journal,
    outbox,
    transport,
    words,
    onError: (error) => logger.warn(`Asking for an approval failed: ${failureOf(error).message}`),
  });
  const conversations = new Conversations({
    agent: ctx.agent,
    logger,
    journal,
    outbox,
    transport,
    clock,
    signal,
    joinMs,
    words,
    marks: new Marks({ transport, clock, signal, on: marksOn }),
    onAsked: (failure) => state.asked(failure),
    mayShow: (conversation) => supervisor.isConnected && outbox.isIdle(conversation),
    onFailure,
  });
  const strangers: Strangers = await Strangers.open({
    agent: ctx.agent,
    access,
    journal,
    outbox,
    storage: ctx.storage,
    logger,
    clock,
    words,
    accept: (message) => inbox.accept(message),
    lost: (userId, mayWrite) => {
      if (!mayWrite) {
        conversations.dropOf(userId);
        outbox.dropOf(userId);
      }
      void approvals
        .withdraw()
        .catch((error) => logger.warn(`A question stayed: ${failureOf(error).message}`));
    },
  });
  const inbox: Inbox = new Inbox({
    access,
    approvals,
    conversations,
    journal,
    outbox,
    presences,
    strangers,
    pair: ctx.agent.pair?.bind(ctx.agent),
    logger,
    words,
    exchanges: botExchanges > 0 ? await Exchanges.open(ctx.storage, botExchanges) : null,
    onReceived: () => state.received(),
  });

  state.queue();
  presences.start();
  strangers.start();
  outbox.resume();
  inbox.resume();
  approvals.start();
  const running = supervisor.run();

  return {
    name,
    outbound: {
      channel: name,
      send: async ({ to, text }) => {
        const id = `sent-${journal.take()}`;
        if (!journal.hasOutboxRoom(text)) return { success: false, error: "Too many messages wait already." };
        const away = Promise.withResolvers<"later">();
        const delivery = outbox.delivered(id, () => away.resolve("later"));
        outbox.put({ id, conversation: to, text, sent: [] }, { text, files: [] });
        return settle(delivery, away.promise, clock, redact);
      },
    },
    ...(options.handleWebhook && { handleWebhook: options.handleWebhook }),
    stop: async () => {
      stopping.abort(new ChannelFailure("offline", "The channel stops."));
      approvals.stop();
      strangers.stop();
      words.stop();
      await running;
      await strangers.stored();
      await journal.close();
      state.status({ word: "stopped" });
    },
  };
}

async function settle(
  delivery: Promise<{ messageIds: (string | null)[] }>,
  away: Promise<"later">,
  clock: ChannelClock,
  redact: (text: string) => string,
): Promise<{ success: boolean; messageId?: string; error?: string }> {
  let callOff = () => {};
  const late = new Promise<"later">((resolve) => {
    callOff = clock.limit(SEND_MS, () => resolve("later"));
  });
  try {
    const first = await Promise.race([delivery, away, late]);
    if (first === "later")
      return {
        success: false,
        error: "It waits to be sent: there is no connection yet, or the person is away.",
      };
    const messageId = first.messageIds.at(-1);
    return { success: true, ...(messageId && { messageId }) };
  } catch (error) {
    return { success: false, error: redact(failureOf(error).message) };
  } finally {
    callOff();
  }
}

function redactedLogger(logger: PluginLogger, redact: (text: string) => string): PluginLogger {
  const at = (level: "debug" | "info" | "warn" | "error") => (message: string) =>
    logger[level](redact(message));
  return Object.assign((message: string) => logger(redact(message)), {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  });
}
