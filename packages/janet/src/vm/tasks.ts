import type { Call } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import { chargeWorkTo } from "../values/work.ts";
import { drive } from "./deep.ts";
import type { Fiber } from "./fiber.ts";
import { resume } from "./fibers.ts";
import { Interrupted, JanetError } from "./janet-error.ts";
import { signalName, signals } from "./signal.ts";
import type { Vm } from "./vm.ts";

/** Where the end of a task is told: a channel of the program. */
export interface Supervisor {
  /** `signal`: `ok`, `error`, … as a keyword's name. */
  ended(signal: string, task: Task): void;
}

/** What a run of the host may use. Tasks that it starts share it. */
export interface Budget {
  /** Steps left of it. */
  steps: number;
  /** When time is up, on the clock of `performance.now()`. */
  deadline: number;
  /** The host's call has ended; a task that goes on in the background has `allowance` steps again whenever it has waited. */
  ended: boolean;
  allowance: number;
  interrupted: boolean;
  isOver: (() => boolean) | null;
}

export interface RunLimits {
  /** Steps until it is interrupted. */
  steps?: number;
  /** Milliseconds until it is interrupted, waiting included. */
  millis?: number;
  /** Interrupts it. Code that cannot pause (a method called by an operator) keeps Node from telling; see `isOver`. */
  signal?: AbortSignal;
  /** Asked every few milliseconds of code that cannot pause: true interrupts it. */
  isOver?: () => boolean;
}

/** A fiber that the event loop runs. */
export class Task {
  readonly fiber: Fiber;
  readonly supervisor: Supervisor | null;
  readonly budget: Budget;
  call: Call | null = null;
  /** Counts its stops, so that what comes too late for one is known. */
  turn = 0;
  /** Gives up what it waits for. */
  abandon: (() => void) | undefined;
  ended = false;
  /** Called once, when it has ended; each thing that hangs on the task adds itself. */
  readonly atEnd: ((outcome: Outcome) => void)[] = [];
  /** The host waits for its outcome. */
  observed = false;
  constructor(fiber: Fiber, budget: Budget, supervisor: Supervisor | null) {
    this.fiber = fiber;
    this.budget = budget;
    this.supervisor = supervisor;
  }
}

export type Outcome = { value: Value; signal: number } | { error: unknown };

interface Entry {
  task: Task;
  turn: number;
  go: { value: Value } | { error: unknown };
}

const unlimited = (): Budget => ({
  steps: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
  ended: false,
  allowance: Number.POSITIVE_INFINITY,
  interrupted: false,
  isOver: null,
});

/**
 * The tasks of an engine and the queue of those that can go on, first come first served as in Janet. One runs until it waits, ends
 * or has run for long. Between rounds Node does other work.
 */
export class Tasks {
  private readonly vm: Vm;
  private queue: Entry[] = [];
  /** How many at the front of the queue have been taken: to shift a long one each time would take for ever. */
  private taken = 0;
  private draining = false;
  private planned = false;
  private readonly byFiber = new WeakMap<Fiber, Task>();
  readonly all = new Set<Task>();
  /** The task that runs now. */
  current: Task | null = null;
  /** Told of a task that ended by an error and has no supervisor; a host may print it. */
  onFailure: (task: Task, error: unknown) => void = () => {};

  constructor(vm: Vm) {
    this.vm = vm;
  }

  /** Runs a fiber in the background. It shares the budget of the task that starts it, and its supervisor unless given another. */
  spawn(fiber: Fiber, value: Value = null, supervisor?: Supervisor | null): Task {
    const parent = this.current;
    return this.start(
      fiber,
      value,
      parent?.budget ?? unlimited(),
      supervisor === undefined ? (parent?.supervisor ?? null) : supervisor,
    );
  }

  /**
   * Runs a fiber for the host and gives its value. @throws JanetError its error, {@link Interrupted} when a limit is reached; no
   * Janet code can catch that.
   */
  run(fiber: Fiber, limits: RunLimits = {}, value: Value = null): Promise<Value> {
    const budget = unlimited();
    budget.steps = budget.allowance = limits.steps ?? Number.POSITIVE_INFINITY;
    budget.isOver = limits.isOver ?? null;
    if (limits.millis !== undefined) budget.deadline = performance.now() + limits.millis;
    return new Promise((resolve, reject) => {
      const interrupt = () => this.interrupt(budget);
      const { millis } = limits;
      // Longer than 24 days Node's timers do not wait.
      const timer =
        millis === undefined || millis >= 2 ** 31 - 1 ? undefined : setTimeout(interrupt, millis + 1);
      limits.signal?.addEventListener("abort", interrupt, { once: true });
      const task = this.start(fiber, value, budget, null);
      task.observed = true;
      task.atEnd.push((outcome) => {
        clearTimeout(timer);
        limits.signal?.removeEventListener("abort", interrupt);
        budget.ended = true;
        budget.deadline = Number.POSITIVE_INFINITY;
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
      if (limits.signal?.aborted) interrupt();
      this.drain();
    });
  }

  private start(fiber: Fiber, value: Value, budget: Budget, supervisor: Supervisor | null): Task {
    const task = new Task(fiber, budget, supervisor);
    this.byFiber.set(fiber, task);
    this.all.add(task);
    this.enqueue(task, { value });
    return task;
  }

  /** The task whose root fiber this is. */
  taskOf(fiber: Fiber): Task | null {
    return this.byFiber.get(fiber) ?? null;
  }

  /** Makes a task go on with an error, whatever it waits for. */
  cancel(task: Task, error: unknown): void {
    if (task.ended) return;
    task.abandon?.();
    task.abandon = undefined;
    task.turn++;
    this.enqueue(task, { error });
  }

  /** Ends every task of a budget, and no Janet code can catch it. */
  interrupt(budget: Budget): void {
    budget.interrupted = true;
    budget.steps = 0;
    for (const task of this.all)
      if (task.budget === budget && task !== this.current) this.cancel(task, new Interrupted());
    if (this.current?.budget === budget) this.vm.fuel = this.vm.stepsLeft = 0;
  }

  /** Ends all tasks. */
  interruptAll(): void {
    for (const budget of new Set([...this.all].map((task) => task.budget))) this.interrupt(budget);
  }

  private enqueue(task: Task, go: Entry["go"]): void {
    this.queue.push({ task, turn: task.turn, go });
    if (this.draining || this.planned) return;
    this.planned = true;
    queueMicrotask(() => {
      this.planned = false;
      this.drain();
    });
  }

  /** Runs what is in the queue, and what comes into it meanwhile, until it is empty. */
  private drain(): void {
    if (this.draining) return;
    this.draining = true;
    const start = performance.now();
    let count = 0;
    try {
      for (let entry = this.next(); entry; entry = this.next()) {
        if (!entry.task.ended && entry.turn === entry.task.turn) this.step(entry.task, entry.go);
        // Tasks that only wait for each other must not keep Node from its other work.
        if (++count % 64 === 0 && this.queue.length > this.taken && performance.now() - start > 10) {
          this.planned = true;
          setImmediate(() => {
            this.planned = false;
            this.drain();
          });
          break;
        }
      }
    } finally {
      this.draining = false;
    }
  }

  private next(): Entry | undefined {
    const entry = this.queue[this.taken];
    this.taken++;
    if (this.taken >= this.queue.length || this.taken === 1_024) {
      this.queue.splice(0, this.taken);
      this.taken = 0;
    }
    return entry;
  }

  private step(task: Task, go: Entry["go"]): void {
    const { vm } = this;
    // It is still set when the task has cancelled itself and then waited.
    task.abandon?.();
    task.abandon = undefined;
    task.turn++;
    this.current = task;
    chargeWorkTo(vm);
    vm.root = task.fiber;
    vm.fiber = null;
    vm.depth = 0;
    vm.top = null;
    vm.stepsLeft = task.budget.steps;
    vm.deadline = task.budget.deadline;
    vm.fuel = 0;
    vm.beginSlice();
    let outcome: Outcome | null;
    try {
      outcome = this.advance(task, go);
    } catch (error) {
      outcome = { error };
      task.budget.steps = vm.stepsLeft;
    }
    this.current = null;
    chargeWorkTo(null);
    vm.fiber = vm.root = null;
    if (outcome) this.end(task, outcome);
  }

  /** Runs a task until it stops. @returns how it ended; null when it will go on */
  private advance(task: Task, go: Entry["go"]): Outcome | null {
    const { vm } = this;
    const { budget } = task;
    const fails = "error" in go;
    if (!task.call) {
      if (fails) {
        task.fiber.status = "error";
        task.fiber.last = go.error instanceof JanetError ? go.error.value : null;
        return go;
      }
      task.call = resume(vm, task.fiber, go.value);
    }
    const step = drive(vm, task.call, fails ? go.error : go.value, fails, Number.POSITIVE_INFINITY, true);
    budget.steps = vm.stepsLeft + Math.max(vm.fuel, 0);
    if (step.done) return outcomeOf(task.fiber, step.value);
    const { value: signal } = step;
    if (signal.kind === "deep") throw new Error("no driver answered a call for more stack");
    if (signal.kind === "raise") return { value: signal.value, signal: signal.signal };
    const { turn } = task;
    if (signal.kind === "pause") {
      const handle = setImmediate(() => this.continue(task, turn, { value: null }));
      task.abandon = () => clearImmediate(handle);
      return null;
    }
    if (budget.ended) budget.steps = budget.allowance;
    const fail = (error: unknown) => this.continue(task, turn, { error });
    try {
      const abandon = signal.begin((value) => this.continue(task, turn, { value }), fail);
      if (task.turn === turn) task.abandon = abandon;
    } catch (error) {
      fail(error);
    }
    return null;
  }

  private continue(task: Task, turn: number, go: Entry["go"]): void {
    if (task.ended || task.turn !== turn) return;
    task.turn++;
    task.abandon = undefined;
    this.enqueue(task, go);
  }

  private end(task: Task, outcome: Outcome): void {
    task.ended = true;
    task.call = null;
    this.all.delete(task);
    for (const told of task.atEnd) told(outcome);
    const failed = "error" in outcome;
    if (failed && !(outcome.error instanceof JanetError) && !task.observed) {
      this.onFailure(task, outcome.error);
      return;
    }
    if (task.supervisor) task.supervisor.ended(failed ? "error" : signalName(outcome.signal), task);
    else if (failed && !task.observed) this.onFailure(task, outcome.error);
  }
}

/** A fiber whose mask takes a signal stops by it as one that returns does; its status tells which it was. */
function outcomeOf(fiber: Fiber, value: Value): Outcome {
  if (fiber.status === "error") return { error: new JanetError(value) };
  if (fiber.status === "pending") return { value, signal: signals.yield };
  if (fiber.status === "debug") return { value, signal: signals.debug };
  const user = /^user(\d)$/.exec(fiber.status)?.[1];
  return { value, signal: user === undefined ? signals.ok : signals.user0 + Number(user) };
}
