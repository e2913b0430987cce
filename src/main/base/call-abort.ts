/** Whoever can end a call early. */
export type AbortSource = AbortSignal | CallAbort;

/**
 * How one call is ended before its time. An AbortController with its signal and listeners is a good part of what a call
 * to a plugin costs, so one is made only for who asks for the signal; everybody else listens here. It is made for one
 * call and let go with it, so listeners need not be taken off.
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

  /** A signal that is aborted with this. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.isOver) this.controller.abort(this.why);
    }
    return this.controller.signal;
  }

  /** Tells the listeners in the order in which they came; once. */
  abort(reason: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.why = reason;
    const { listeners } = this;
    this.listeners = [];
    for (const listener of listeners) listener(reason);
    this.controller?.abort(reason);
  }

  /** Not called when it was aborted before: ask `aborted` first. */
  onAbort(listener: (reason: unknown) => void): void {
    this.listeners.push(listener);
  }
}

/** Calls `listener` once when the source is aborted; returns what takes it off again. */
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

/** One listener a signal serves all calls made under it: a turn makes many, and adding and removing listeners is slow. */
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
