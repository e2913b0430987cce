import { PatchbayError } from "../../contract/index.ts";
import { CallAbort, onAbort } from "../runtimes/call-abort.ts";

/** What a timer can hold; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A time limit that can stand still, for instance while a person is being asked. */
export class Clock {
  private left: number;
  private since = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly expire: () => void;

  /** Starts at once; `expire` runs once after `limitMs` milliseconds that were not paused. */
  constructor(limitMs: number, expire: () => void) {
    this.left = limitMs;
    this.expire = expire;
    this.resume();
  }

  pause(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left -= performance.now() - this.since;
  }

  resume(): void {
    if (this.timer || this.left === Number.NEGATIVE_INFINITY) return;
    this.since = performance.now();
    this.timer = setTimeout(
      () => {
        this.stop();
        this.expire();
      },
      Math.min(Math.max(0, this.left), LONGEST_MS),
    );
  }

  /** Ends it for good. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left = Number.NEGATIVE_INFINITY;
  }
}

/** Who may make a plugin's clocks stand still. */
export interface ClockKeeper {
  /** Puts a clock under the rule that it stands still while this plugin waits for a person. Returns what takes it off. */
  attach(agentId: string, pluginKey: string, clock: Clock): () => void;
}

/** Thrown when a call took longer than its limit. */
export class TimeLimitError extends Error {
  readonly limitMs: number;
  constructor(limitMs: number) {
    super(`took longer than ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

/** The failure of something that was stopped on request. */
export function aborted(what: string): PatchbayError {
  return new PatchbayError("ABORTED", `${what} was stopped.`);
}

/**
 * Runs a plugin's call under a time limit and an abort signal, and settles as soon as either ends it, whatever the
 * call does. What `run` is handed is aborted then. The call is sent off first, so that what is needed to watch over
 * it is done while the plugin works.
 * @throws TimeLimitError, PatchbayError ABORTED, or what `run` throws
 */
export function withinLimit<T>(options: {
  limitMs: number;
  signal: AbortSignal;
  keeper: ClockKeeper;
  agentId: string;
  pluginKey: string;
  run(abort: CallAbort): Promise<T>;
}): Promise<T> {
  const { limitMs, signal, keeper, agentId, pluginKey } = options;
  if (signal.aborted) return Promise.reject(aborted("The call"));
  return new Promise<T>((resolve, reject) => {
    const abort = new CallAbort();
    const running = options.run(abort);
    const give = () => abort.abort(aborted("The call"));
    const clock = new Clock(limitMs, () => abort.abort(new TimeLimitError(limitMs)));
    const detach = keeper.attach(agentId, pluginKey, clock);
    const unlink = onAbort(signal, give);
    const end = () => {
      clock.stop();
      detach();
      unlink();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    running.then((value) => {
      end();
      resolve(value);
    }, fail);
    // The pool may end it, too: the plugin stops, for instance.
    abort.onAbort(fail);
    // The call may have brought that about itself, before anybody listened.
    if (signal.aborted) give();
  });
}
