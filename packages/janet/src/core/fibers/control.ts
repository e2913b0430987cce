import { show } from "../../print/describe.ts";
import type { Call } from "../../values/functions.ts";
import { Kw } from "../../values/names.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { callValue } from "../../vm/call.ts";
import { Fiber } from "../../vm/fiber.ts";
import { cancel, nextOf, resume } from "../../vm/fibers.ts";
import { JanetError, panic } from "../../vm/janet-error.ts";
import { signals } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

const ANY = Number.POSITIVE_INFINITY;

/** Raises a signal and waits for the value that the fiber is resumed with. */
export function* raise(vm: Vm, signal: number, value: Value): Call {
  if (signal === signals.error) throw new JanetError(value);
  return yield { kind: "raise", signal, value, from: vm.fiber };
}

function fiberOf(value: Value): Fiber {
  return value instanceof Fiber ? value : panic(`expected fiber, got ${show(value)}`);
}

/** What makes fibers stop and go on. */
export function install(core: Registrar): void {
  core.fun("error", 1, 1, "(error x)", "Raises x as an error.", (args) => {
    throw new JanetError(args[0] as Value);
  });
  core.gen("yield", 0, 1, "(yield &opt x)", "Gives x to whoever resumed this fiber, and waits.", (args, vm) =>
    raise(vm, signals.yield, args[0] ?? null),
  );
  core.gen("debug", 0, 1, "(debug &opt x)", "Raises the debug signal with x.", (args, vm) =>
    raise(vm, signals.debug, args[0] ?? null),
  );
  core.cgen("signal", 1, 2, "(signal what &opt x)", "Raises the signal named or numbered what.", (args, vm) =>
    raise(vm, signalOf(args), args[1] ?? null),
  );
  core.gen(
    "resume",
    1,
    2,
    "(resume fiber &opt x)",
    "Goes on with a fiber until it stops again.",
    (args, vm) => resume(vm, fiberOf(args[0] as Value), args[1] ?? null),
  );
  core.gen("cancel", 2, 2, "(cancel fiber err)", "Goes on with a fiber by an error in it.", (args, vm) =>
    cancel(vm, fiberOf(args[0] as Value), args[1] as Value),
  );
  core.gen(
    "propagate",
    2,
    2,
    "(propagate x fiber)",
    "Raises in this fiber what stopped another, with x as its value.",
    (args, vm) => propagate(vm, args[0] as Value, fiberOf(args[1] as Value)),
  );
  core.gen(
    "apply",
    1,
    ANY,
    "(apply f & args)",
    "Calls f with all args, the last of which is an array or tuple of further ones.",
    (args, vm) => callValue(vm, args[0] as Value, spreadLast(args)),
  );
  core.gen(
    "next",
    1,
    2,
    "(next ds &opt key)",
    "The key after key, the first one for nil; nil at the end. A fiber is resumed.",
    (args, vm) => nextOf(vm, args[0] as Value, args[1] ?? null),
  );
}

function spreadLast(args: readonly Value[]): Value[] {
  if (args.length === 1) return [];
  const last = args.at(-1) as Value;
  if (!(last instanceof JArray || last instanceof Tuple)) panic(`expected array or tuple, got ${show(last)}`);
  return [...args.slice(1, -1), ...last.items];
}

function* propagate(vm: Vm, value: Value, fiber: Fiber): Call {
  const { status } = fiber;
  if (status === "new" || status === "alive") panic("cannot propagate from new or alive fiber");
  if (status === "dead") return value;
  if (status === "error") {
    const error = new JanetError(value);
    error.fiber = fiber;
    error.trace.push(...fiber.trace);
    throw error;
  }
  const input = yield* raise(vm, numberOf(status), value);
  return yield* resume(vm, fiber, input);
}

function numberOf(status: string): number {
  if (status === "debug") return signals.debug;
  if (status === "pending") return signals.yield;
  if (status === "interrupted") return signals.user8;
  if (status === "suspended") return signals.user9;
  return signals.user0 + Number(status.slice(4));
}

const named: ReadonlyMap<string, number> = new Map<string, number>([
  ["yield", signals.yield],
  ["error", signals.error],
  ["debug", signals.debug],
  ...Array.from({ length: 8 }, (_, at) => [`user${at}`, signals.user0 + at] as [string, number]),
  ["interrupt", signals.user8],
  ["await", signals.user9],
]);

function signalOf(args: readonly Value[]): number {
  const what = args[0] as Value;
  if (typeof what === "number" && Number.isInteger(what) && what === (what | 0)) {
    if (what < 0 || what > 9) panic(`expected user signal between 0 and 9, got ${what}`);
    return signals.user0 + what;
  }
  if (!(what instanceof Kw)) return badSlot(args, 0, "keyword");
  return named.get(what.name) ?? panic(`unknown signal ${show(what)}`);
}
