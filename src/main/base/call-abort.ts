/** Anything that can end a call early: the platform's signal, or our cheaper {@link CallAbort}. */
export type AbortSource = AbortSignal | CallAbort;

/**
 * Ends one call early. Making an AbortController with its signal and listeners is a good part of the cost of a call to
 * a plugin, so a CallAbort makes one only when `signal` is read; other code listens with `onAbort`. A CallAbort is made
 * for one call and is garbage together with it, so listeners need not be removed.
 */
export class CallAbort {
  private why: unknown;
  private isOver = false;
  private listeners: ((reason: unknown) => void)[] = [];
  private controller: AbortController | undefined;

  get aborted(): boolean {
    return this.isOver;
  }

  get reason(): unknown {
    return this.why;
  }

  /** An AbortSignal that is aborted when this CallAbort is. The first read makes it. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.isOver) this.controller.abort(this.why);
    }
    return this.controller.signal;
  }

  /** Calls the listeners once, in the order in which they were added. A second abort does nothing. */
  abort(reason: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.why = reason;
    const { listeners } = this;
    this.listeners = [];
    for (const listener of listeners) listener(reason);
    this.controller?.abort(reason);
  }

  /** The listener is not called when the abort has happened already: check `aborted` first. */
  onAbort(listener: (reason: unknown) => void): void {
    this.listeners.push(listener);
  }
}

/** Calls `listener` once when the source is aborted. The returned function removes the listener. */
export function onAbort(source: AbortSource, listener: (reason: unknown) => void): () => void {
  if (source instanceof CallAbort) {
    source.onAbort(listener);
    return nothing;
  }
  const followers = followersOf(source);
  const follower = () => listener(source.reason);
  followers.add(follower);
  return () => followers.delete(follower);
}

function nothing(): void {}

const followersBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * The callbacks that follow one signal. A turn makes many calls under one signal, and `addEventListener` and
 * `removeEventListener` are slow, so one listener for each signal calls all of them.
 */
function followersOf(signal: AbortSignal): Set<() => void> {
  const known = followersBySignal.get(signal);
  if (known) return known;
  const followers = new Set<() => void>();
  followersBySignal.set(signal, followers);
  signal.addEventListener(
    "abort",
    () => {
      for (const follower of followers) follower();
    },
    { once: true },
  );
  return followers;
}
