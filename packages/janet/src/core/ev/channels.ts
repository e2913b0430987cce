import { JArray, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { naturalAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import {
  Channel,
  type Clause,
  channelAt,
  channelMethods,
  closeChannel,
  give,
  select,
  take,
} from "./channel.ts";

/** Channels: how tasks hand values to each other. */
export function install(core: Registrar): void {
  for (const name of ["ev/chan", "ev/thread-chan"])
    core.cfun(
      name,
      0,
      1,
      `(${name} &opt capacity)`,
      "A channel that holds this many values, none unless given, before who gives has to wait.",
      (args) => new Channel((args[0] ?? null) === null ? 0 : naturalAt(args, 0)).self,
    );
  core.cgen(
    "ev/give",
    2,
    2,
    "(ev/give channel value)",
    "Gives a value to a channel, waiting while it is full; the channel, or nil when it was closed meanwhile.",
    (args) => give(channelAt(args, 0), args[1] ?? null),
  );
  core.cgen(
    "ev/take",
    1,
    1,
    "(ev/take channel)",
    "Takes a value from a channel, waiting for one; nil when the channel is closed.",
    (args) => take(channelAt(args, 0)),
  );
  core.cgen(
    "ev/select",
    1,
    Infinity,
    "(ev/select & clauses)",
    "Does the first clause that can be done: a channel to take from, or [channel value] to give. One of (:take chan x), (:give chan) and (:close chan).",
    (args) => select(clausesOf(args)),
  );
  core.cgen(
    "ev/rselect",
    1,
    Infinity,
    "(ev/rselect & clauses)",
    "As ev/select, but looks at the clauses in random order.",
    (args) => select(shuffled(clausesOf(args))),
  );
  core.cfun("ev/full", 1, 1, "(ev/full channel)", "Whether a giver would have to wait.", (args) => {
    const channel = channelAt(args, 0);
    return channel.items.length >= channel.limit;
  });
  core.cfun(
    "ev/capacity",
    1,
    1,
    "(ev/capacity channel)",
    "How many values a channel holds at most.",
    (args) => channelAt(args, 0).limit,
  );
  core.cfun(
    "ev/count",
    1,
    1,
    "(ev/count channel)",
    "How many values a channel holds now.",
    (args) => channelAt(args, 0).items.length,
  );
  core.cfun(
    "ev/chan-close",
    1,
    1,
    "(ev/chan-close chan)",
    "Closes a channel: who waits at it goes on with nil, and what it holds is lost.",
    (args) => {
      closeChannel(channelAt(args, 0));
      return args[0] as Value;
    },
  );
  for (const method of ["give", "take", "select", "rselect", "full", "capacity", "count"])
    channelMethods.set(method, core.find(`ev/${method}`));
  channelMethods.set("close", core.find("ev/chan-close"));
}

function clausesOf(args: readonly Value[]): Clause[] {
  return args.map((arg, at) => {
    const pair = (arg instanceof Tuple || arg instanceof JArray) && arg.items.length === 2 ? arg.items : null;
    if (pair) return { channel: channelAt(pair, 0), value: pair[1] ?? null };
    return { channel: channelAt(args, at), value: undefined };
  });
}

function shuffled(clauses: Clause[]): Clause[] {
  for (let at = clauses.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [clauses[at], clauses[other]] = [clauses[other] as Clause, clauses[at] as Clause];
  }
  return clauses;
}
