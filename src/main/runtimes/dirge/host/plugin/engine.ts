import {
  createEngine,
  type Engine,
  type Fiber,
  type Host,
  Interrupted,
  JanetError,
  kw,
  Native,
  pretty,
  Table,
  toBytes,
  toText,
  type Value,
} from "@patchbay/janet";
import { CompileError, callValue, compile, makeFiber, ParseError, readForms } from "@patchbay/janet/parts";
import type { CallState } from "../call-state.ts";
import type { TimeLimit } from "../time-limit.ts";
import { LoadError } from "./load-error.ts";

/** A call that is under way. */
export interface Running {
  state: CallState;
  limit: TimeLimit;
}

/** A call of the plugin that took too long. */
export class TooLong extends Error {}

/** Most characters of a form in a sentence. */
const LONGEST_FORM = 200;

/** The Janet engine with one plugin: its environment stands above that of the host, which stands above Janet's own. */
export class PluginEngine {
  readonly #engine: Engine;
  /** Where the host's functions are. */
  readonly hostEnvironment = new Table();
  readonly environment = new Table();
  readonly #byFiber = new WeakMap<Fiber, Running>();
  readonly #byBudget = new WeakMap<object, Running>();

  /** @param onBackgroundError told of an error in code that goes on after its call */
  constructor(host: Host, onBackgroundError: (text: string) => void) {
    this.#engine = createEngine({ host, onBackgroundError });
    this.hostEnvironment.proto = this.#vm.core;
    this.environment.proto = this.hostEnvironment;
  }

  /** The call that the code belongs to that runs now; of what goes on after its call has ended, that call. */
  get running(): Running | undefined {
    const { root, tasks } = this.#vm;
    const { current } = tasks;
    const running =
      (root && this.#byFiber.get(root)) ??
      (current ? (this.#byFiber.get(current.fiber) ?? this.#byBudget.get(current.budget)) : undefined);
    if (running && current) this.#byBudget.set(current.budget, running);
    return running;
  }

  /** What the plugin has under a name; null when there is nothing. */
  find(name: string): Value {
    return this.#engine.lookup(this.environment, name) ?? null;
  }

  /**
   * Runs the forms of a file one after the other, each compiled when those before it have run.
   * @throws LoadError at the first that fails
   */
  async load(file: string, path: string, text: string, state: CallState, limit: TimeLimit): Promise<void> {
    this.environment.put(kw("current-file"), toBytes(path));
    this.environment.put(kw("source"), toBytes(file));
    let at: { value: Value; line: number } | null = null;
    try {
      for (const form of readForms(toBytes(text))) {
        at = form;
        const closure = compile(this.#vm, form.value, this.environment, toBytes(file));
        await this.#run(makeFiber(this.#vm, closure, 0, this.environment), { state, limit });
        at = null;
      }
    } catch (error) {
      throw loadError(error, file, at);
    }
  }

  /** Calls a function. @throws JanetError, {@link TooLong} */
  async call(callee: Value, args: Value[], running: Running): Promise<Value> {
    const vm = this.#vm;
    const thunk = new Native("function", "call", 0, 0, null, () => callValue(vm, callee, args));
    try {
      return await this.#run(makeFiber(vm, thunk, 0, this.environment), running);
    } catch (error) {
      if (error instanceof Interrupted) throw new TooLong();
      throw error;
    }
  }

  /** Ends everything that is under way. */
  end(): void {
    this.#engine.dispose();
  }

  get #vm() {
    return this.#engine.vm;
  }

  #run(fiber: Fiber, running: Running): Promise<Value> {
    this.#byFiber.set(fiber, running);
    const { limit } = running;
    return this.#vm.tasks.run(fiber, { signal: limit.signal, isOver: () => limit.isOver });
  }
}

/** What a Janet error says, for a person. */
export function wordsOf(error: JanetError): string {
  return toText(typeof error.value === "string" ? error.value : pretty(error.value));
}

function loadError(error: unknown, file: string, at: { value: Value; line: number } | null): unknown {
  if (error instanceof ParseError) return new LoadError(file, error.line, toText(error.message), null);
  if (at === null) return error;
  const form = formText(at.value);
  if (error instanceof CompileError)
    return new LoadError(file, error.line > 0 ? error.line : at.line, toText(error.words), form);
  if (error instanceof Interrupted) return new LoadError(file, at.line, "it does not come to an end", form);
  if (!(error instanceof JanetError)) return error;
  const inFile = error.trace.find(({ source, line }) => source === toBytes(file) && line > 0);
  return new LoadError(file, inFile?.line ?? at.line, wordsOf(error), form);
}

function formText(form: Value): string {
  const text = toText(pretty(form)).replace(/\s+/g, " ");
  return text.length > LONGEST_FORM ? `${text.slice(0, LONGEST_FORM)}…` : text;
}
