import { Abstract, type AbstractType } from "../../values/abstract.ts";
import type { Call } from "../../values/functions.ts";
import { Kw, kw } from "../../values/names.ts";
import { Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Supervisor } from "../../vm/tasks.ts";
import { badSlot } from "../arguments.ts";
import { nextMethod } from "../os/file.ts";

/** A task that waits at a channel. */
interface Waiter {
  /** Lets it go on. */
  resolve(value: Value): void;
  /** It waits no longer: it was cancelled, or another clause of its `ev/select` was first. */
  gone: boolean;
  /** It waits in `ev/select`, so it is told which channel and what happened. */
  choice: boolean;
}

/** A giver in `ev/select` keeps its value until there is room; another's is in the queue already. */
interface Giver extends Waiter {
  value: Value | undefined;
}

/** What `core/channel` values hold. */
export class Channel implements Supervisor {
  readonly limit: number;
  readonly items: Value[] = [];
  closed = false;
  readonly takers: Waiter[] = [];
  readonly givers: Giver[] = [];
  /** Its one abstract value, as which programs know it. */
  readonly self: ChannelValue;
  constructor(limit: number) {
    this.limit = limit;
    this.self = new Abstract(channelType, this);
  }

  /** Gives a value to who waits for one, or puts it in the queue. @returns whether the queue holds more than it should */
  push(value: Value): boolean {
    const taker = next(this.takers);
    if (taker) {
      taker.resolve(taker.choice ? took(this, value) : value);
      return false;
    }
    this.items.push(value);
    return this.items.length > this.limit;
  }

  /** The next value; undefined when there is none. Lets a waiting giver go on. */
  pull(): Value | undefined {
    const value = this.items.shift();
    const giver = next(this.givers);
    if (!giver) return value;
    giver.resolve(giver.choice ? gave(this) : this.self);
    if (giver.value === undefined) return value;
    if (value === undefined) return giver.value;
    this.items.push(giver.value);
    return value;
  }

  /** Whether a giver can be rid of its value at once. */
  get roomy(): boolean {
    drop(this.takers);
    return this.takers.length > 0 || this.items.length < this.limit;
  }

  /** Whether a taker gets a value at once. */
  get filled(): boolean {
    drop(this.givers);
    return this.items.length > 0 || this.givers.length > 0;
  }

  ended(signal: string, task: { fiber: { env: { get(key: Value): Value } | null } }): void {
    if (this.closed) return;
    const fiber = task.fiber as unknown as Value;
    this.push(new Tuple([kw(signal), fiber, task.fiber.env?.get(kw("task-id")) ?? null]));
  }
}

type ChannelValue = Abstract<Channel>;

/** Set by channels.ts: methods by name. */
export const channelMethods = new Map<string, Value>();

const channelType: AbstractType<Channel> = {
  name: "core/channel",
  get: (_channel, key) => (key instanceof Kw ? channelMethods.get(key.name) : undefined),
  next: (_channel, key) => nextMethod(channelMethods, key),
};

export function isChannel(value: Value): value is ChannelValue {
  return value instanceof Abstract && value.type === channelType;
}

export function channelAt(args: readonly Value[], at: number): Channel {
  const value = args[at] ?? null;
  return isChannel(value) ? value.data : badSlot(args, at, "core/channel");
}

function drop(waiters: Waiter[]): void {
  while (waiters[0]?.gone) waiters.shift();
}

function next<Kind extends Waiter>(waiters: Kind[]): Kind | undefined {
  drop(waiters);
  const waiter = waiters.shift();
  if (waiter) waiter.gone = true;
  return waiter;
}

function took(channel: Channel, value: Value): Value {
  return new Tuple([kw("take"), channel.self, value]);
}
function gave(channel: Channel): Value {
  return new Tuple([kw("give"), channel.self]);
}
function shut(channel: Channel): Value {
  return new Tuple([kw("close"), channel.self]);
}

export function* give(channel: Channel, value: Value): Call {
  if (channel.closed) panic("cannot write to closed channel");
  if (!channel.push(value)) return channel.self;
  return yield {
    kind: "wait",
    begin(resolve) {
      const giver: Giver = { resolve, gone: false, choice: false, value: undefined };
      channel.givers.push(giver);
      return () => {
        giver.gone = true;
      };
    },
  };
}

export function* take(channel: Channel): Call {
  if (channel.closed) return null;
  if (channel.filled) return channel.pull() ?? null;
  return yield {
    kind: "wait",
    begin(resolve) {
      const taker: Waiter = { resolve, gone: false, choice: false };
      channel.takers.push(taker);
      return () => {
        taker.gone = true;
      };
    },
  };
}

/** A channel to take from, or one with the value to give. */
export interface Clause {
  channel: Channel;
  value: Value | undefined;
}

/** Does the first clause that can be done, waiting until one can. */
export function* select(clauses: readonly Clause[]): Call {
  for (const { channel, value } of clauses) {
    if (channel.closed) return shut(channel);
    if (value === undefined) {
      if (channel.filled) return took(channel, channel.pull() ?? null);
    } else if (channel.roomy) {
      channel.push(value);
      return gave(channel);
    }
  }
  return yield {
    kind: "wait",
    begin(resolve) {
      const waiters: Waiter[] = [];
      const leave = () => {
        for (const waiter of waiters) waiter.gone = true;
      };
      const chosen = (result: Value) => {
        leave();
        resolve(result);
      };
      for (const { channel, value } of clauses) {
        const waiter: Giver = { resolve: chosen, gone: false, choice: true, value };
        waiters.push(waiter);
        if (value === undefined) channel.takers.push(waiter);
        else channel.givers.push(waiter);
      }
      return leave;
    },
  };
}

/** Everybody who waits goes on with nil, in `ev/select` with the news; what the channel holds is lost. */
export function closeChannel(channel: Channel): void {
  if (channel.closed) return;
  channel.closed = true;
  for (const waiters of [channel.givers, channel.takers]) {
    for (let waiter = next<Waiter>(waiters); waiter; waiter = next<Waiter>(waiters))
      waiter.resolve(waiter.choice ? shut(channel) : null);
  }
}
