import { Closure, Native } from "../../values/functions.ts";
import { kw } from "../../values/names.ts";
import { Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { Fiber } from "../../vm/fiber.ts";
import { canResume, makeFiber } from "../../vm/fibers.ts";
import { panic } from "../../vm/janet-error.ts";
import { signals } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, bytesAt, integerAt, tableAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

const bit = (signal: number) => 1 << signal;
const users = (from: number, to: number) => {
  let mask = 0;
  for (let at = from; at <= to; at++) mask |= bit(signals.user0 + at);
  return mask;
};

/** What each letter of a mask lets a fiber stop at. */
const masks: Readonly<Record<string, number>> = {
  a: bit(signals.debug) | bit(signals.error) | bit(signals.yield) | users(0, 9),
  t: bit(signals.error) | users(0, 4),
  d: bit(signals.debug),
  e: bit(signals.error),
  u: users(0, 9),
  y: bit(signals.yield),
  w: bit(signals.user9),
  r: bit(signals.user8),
};

/** `fiber/*`. */
export function install(core: Registrar): void {
  core.cfun(
    "fiber/new",
    1,
    3,
    "(fiber/new func &opt sigmask env)",
    "Makes a fiber that runs func once it is resumed. sigmask names the signals that stop it; env holds its dynamic bindings.",
    (args, vm) => newFiber(args, vm),
  );
  const fiberAt = (args: readonly Value[]): Fiber =>
    args[0] instanceof Fiber ? args[0] : badSlot(args, 0, "fiber");
  core.cfun("fiber/status", 1, 1, "(fiber/status fib)", "How a fiber stands, as a keyword.", (args) =>
    kw(fiberAt(args).status),
  );
  core.cfun("fiber/current", 0, 0, "(fiber/current)", "The fiber that runs.", (_args, vm) => vm.fiber);
  core.cfun(
    "fiber/root",
    0,
    0,
    "(fiber/root)",
    "The fiber with which the running task began.",
    (_args, vm) => vm.root ?? vm.fiber,
  );
  core.cfun(
    "fiber/can-resume?",
    1,
    1,
    "(fiber/can-resume? fiber)",
    "Whether a fiber can go on.",
    (args) => fiberAt(args).status === "alive" || canResume(fiberAt(args)),
  );
  core.cfun(
    "fiber/last-value",
    1,
    1,
    "(fiber/last-value fiber)",
    "What a fiber last gave or raised.",
    (args) => fiberAt(args).last,
  );
  core.cfun(
    "fiber/getenv",
    1,
    1,
    "(fiber/getenv fiber)",
    "The table of a fiber's dynamic bindings.",
    (args) => fiberAt(args).env,
  );
  core.cfun("fiber/setenv", 2, 2, "(fiber/setenv fiber table)", "Sets that table; nil: none.", (args) => {
    const fiber = fiberAt(args);
    fiber.env = args[1] === null ? null : tableAt(args, 1);
    return fiber;
  });
  core.cfun(
    "fiber/maxstack",
    1,
    1,
    "(fiber/maxstack fib)",
    "How large a fiber's stack may grow.",
    (args) => fiberAt(args).maxStack,
  );
  core.cfun("fiber/setmaxstack", 2, 2, "(fiber/setmaxstack fib maxstack)", "Sets that.", (args) => {
    const fiber = fiberAt(args);
    const size = integerAt(args, 1);
    if (size < 0) panic("expected positive integer");
    fiber.maxStack = size;
    return fiber;
  });
}

function newFiber(args: readonly Value[], vm: Vm): Fiber {
  const fn = args[0] as Value;
  if (!(fn instanceof Closure || (fn instanceof Native && fn.kind === "function")))
    return badSlot(args, 0, "function");
  const { min } = fn instanceof Closure ? fn.prototype : fn;
  if (min > 1) panic("fiber function must accept 0 or 1 arguments");
  let env: Table | null = null;
  if (args.length > 2 && args[2] !== null) env = tableAt(args, 2);
  let mask = bit(signals.yield);
  if (args.length > 1 && args[1] !== null) {
    mask = 0;
    for (const letter of bytesAt(args, 1)) {
      if (letter >= "0" && letter <= "9") mask |= bit(signals.user0 + Number(letter));
      else if (letter === "i") env = ownEnv(vm);
      else if (letter === "p") {
        env = new Table();
        env.proto = ownEnv(vm);
      } else if (letter in masks) mask |= masks[letter] as number;
      else panic(`invalid flag ${letter}, expected a, t, d, e, u, y, w, r, i, or p`);
    }
  }
  return makeFiber(vm, fn, mask, env);
}

/** The dynamic bindings of the running fiber, which has some from now on. */
export function ownEnv(vm: Vm): Table {
  const { fiber } = vm;
  if (!fiber) return new Table();
  fiber.env ??= new Table();
  return fiber.env;
}
