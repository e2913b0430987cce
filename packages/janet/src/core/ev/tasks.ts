import { show } from "../../print/describe.ts";
import { type Call, Closure, Native } from "../../values/functions.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { callValue } from "../../vm/call.ts";
import { Fiber } from "../../vm/fiber.ts";
import { makeFiber } from "../../vm/fibers.ts";
import { JanetError, panic } from "../../vm/janet-error.ts";
import { signals } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, fiberAt, numberAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { type Channel, channelAt } from "./channel.ts";
import { millisOf, waitFor } from "./wait.ts";

/** Errors and user signals 0 to 4 end a task. */
const taskMask =
  (1 << signals.error) | [0, 1, 2, 3, 4].reduce((mask, signal) => mask | (1 << (signals.user0 + signal)), 0);

/** Tasks: fibers that the event loop runs. */
export function install(core: Registrar): void {
  core.cfun(
    "ev/go",
    1,
    3,
    "(ev/go fiber-or-fun &opt value supervisor)",
    "Runs a new fiber or a function as a task of its own, beginning with `value`. A supervisor channel is told of its end.",
    (args, vm) => {
      const supervisor = (args[2] ?? null) === null ? undefined : channelAt(args, 2);
      const fiber = taskFiber(args, vm);
      vm.tasks.spawn(fiber, args[1] ?? null, supervisor);
      return fiber;
    },
  );
  core.fun(
    "ev/call",
    1,
    Infinity,
    "(ev/call func & args)",
    "Calls a function in a task of its own; its fiber.",
    (args, vm) => {
      const [callee = null, ...rest] = args;
      return background(vm, (running) => callValue(running, callee, rest));
    },
  );
  core.cgen(
    "ev/sleep",
    1,
    1,
    "(ev/sleep sec)",
    "Lets other tasks go on for this many seconds.",
    function* (args) {
      const seconds = numberAt(args, 0);
      return yield* waitFor((resolve) => {
        const timer = setTimeout(() => resolve(null), millisOf(seconds));
        return () => clearTimeout(timer);
      });
    },
  );
  core.cfun(
    "ev/cancel",
    2,
    2,
    "(ev/cancel fiber err)",
    "Makes a task go on with an error, whatever it waits for; the fiber.",
    (args, vm) => {
      const fiber = fiberAt(args, 0);
      const task = vm.tasks.taskOf(fiber) ?? vm.tasks.spawn(fiber);
      vm.tasks.cancel(task, new JanetError(args[1] ?? null));
      return fiber;
    },
  );
  core.cfun(
    "ev/deadline",
    1,
    4,
    "(ev/deadline sec &opt tocancel tocheck intr?)",
    "In so many seconds, cancels the task `tocancel` (the running one unless given) if the fiber `tocheck` is not done by then.",
    deadline,
  );
  core.cfun(
    "ev/give-supervisor",
    1,
    Infinity,
    "(ev/give-supervisor tag & payload)",
    "Sends a tuple of the tag and the payload to the supervisor of the running task, if it has one.",
    (args, vm) => {
      const supervisor = vm.tasks.current?.supervisor as Channel | null | undefined;
      if (supervisor && !supervisor.closed) supervisor.push(new Tuple(args));
      return null;
    },
  );
  core.cfun(
    "ev/all-tasks",
    0,
    0,
    "(ev/all-tasks)",
    "The fibers of all tasks that are not done.",
    (_args, vm) => {
      return new JArray([...vm.tasks.all].map((task) => task.fiber));
    },
  );
  core.gen(
    "ev/go-gather",
    1,
    1,
    "(ev/go-gather thunks)",
    "Runs functions as tasks and waits for all; an array of their values. The first error cancels the others.",
    goGather,
  );
}

/** Runs something as a task of its own. @returns its fiber */
export function background(vm: Vm, start: (running: Vm) => Call): Fiber {
  const run = new Native("function", "task", 0, 1, null, (_value, running) => start(running));
  const fiber = makeFiber(vm, run, taskMask, inheriting(vm));
  vm.tasks.spawn(fiber);
  return fiber;
}

/** A new environment that inherits from that of the running fiber. */
function inheriting(vm: Vm): Table {
  const env = new Table();
  env.proto = vm.fiber?.env ?? null;
  return env;
}

/** The new fiber of a first argument as `ev/go` takes it. */
export function taskFiber(args: readonly Value[], vm: Vm): Fiber {
  const value = args[0] ?? null;
  if (value instanceof Fiber) {
    if (value.status !== "new") panic("can only schedule new fibers where (= (fiber/status f) :new)");
    return value;
  }
  if (!(value instanceof Closure) && !(value instanceof Native && value.kind === "function"))
    return badSlot(args, 0, "fiber");
  const min = value instanceof Closure ? value.prototype.min : value.min;
  if (min > 1) panic("task function must accept 0 or 1 arguments");
  return makeFiber(vm, value, taskMask, inheriting(vm));
}

function deadline(args: Value[], vm: Vm): Value {
  const seconds = numberAt(args, 0);
  const current = vm.tasks.current;
  const cancelled = (args[1] ?? null) === null ? (current?.fiber ?? null) : fiberAt(args, 1);
  const checked = (args[2] ?? null) === null ? vm.fiber : fiberAt(args, 2);
  const task = cancelled && vm.tasks.taskOf(cancelled);
  if (!task || task.ended) return cancelled;
  const timer = setTimeout(() => {
    if (checked && !["dead", "error"].includes(checked.status))
      vm.tasks.cancel(task, new JanetError("deadline expired"));
  }, millisOf(seconds));
  task.atEnd.push(() => clearTimeout(timer));
  return cancelled;
}

function* goGather(args: Value[], vm: Vm): Call {
  const thunks = args[0] ?? null;
  if (!(thunks instanceof Tuple || thunks instanceof JArray))
    panic(`expected iterable type, got ${show(thunks)}`);
  const results: Value[] = thunks.items.map(() => null);
  if (results.length === 0) return new JArray(results);
  yield* waitFor((resolve, reject) => {
    let left = results.length;
    const tasks = thunks.items.map((thunk, at) => {
      const task = vm.tasks.spawn(taskFiber([thunk], vm), null, null);
      task.observed = true;
      task.atEnd.push((end) => {
        if (left <= 0) return;
        if ("error" in end) {
          left = 0;
          stop("sibling canceled");
          reject(end.error instanceof JanetError ? new JanetError(end.error.value) : end.error);
          return;
        }
        results[at] = end.value;
        if (--left === 0) resolve(null);
      });
      return task;
    });
    const stop = (reason: string) => {
      for (const task of tasks) vm.tasks.cancel(task, new JanetError(reason));
    };
    return () => {
      left = 0;
      stop("parent canceled");
    };
  });
  return new JArray(results);
}
