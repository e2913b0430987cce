import type { AppEvent, Snapshot } from "../../contract/app.ts";
import type { AppChange } from "../../contract/collections.ts";
import { Heartbeat } from "../base/client/heartbeat.ts";
import { type OpenLink, wait } from "../base/client/link.ts";
import { LinkError } from "../base/client/link-error.ts";
import { routeThrough, rpc } from "../base/client/rpc.ts";
import { applyChanges, showSnapshot, useMirror } from "./mirror.ts";

// Pauses between attempts to connect: the first, doubled each time up to the longest. Milliseconds.
const firstRetryMs = 250;
const longestRetryMs = 2_000;
// The link is opened at the latest this many milliseconds after the first snapshot, also when nothing was drawn.
const longestFirstDrawingMs = 500;

export type OpenLinkFn = (signal: AbortSignal) => Promise<OpenLink>;

let shownFirst: Snapshot | null = null;

/**
 * Shows the snapshot that came before the link was open. Resolves when it has been drawn, so that opening the link does
 * not delay the drawing. Changes in between come with the first events.
 */
export async function showFirst(snapshot: Snapshot): Promise<void> {
  shownFirst = snapshot;
  showSnapshot(snapshot);
  useMirror.setState({ connection: "live", lostAt: null });
  await drawn();
}

/**
 * Resolves two frames later, because the first may have been prepared before. A hidden page draws no frames, so it does
 * not wait.
 */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === "hidden") return resolve();
    setTimeout(resolve, longestFirstDrawingMs);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
}

/** Keeps the mirror in step with the core until `signal` aborts: connects, follows, and connects again when that breaks. */
export async function keepInSync(open: OpenLinkFn, signal: AbortSignal): Promise<void> {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      const link = await open(signal);
      retryMs = firstRetryMs;
      await followUntilLost(link, signal);
    } catch (error) {
      if (error instanceof LinkError && error.failure === "refused") {
        useMirror.setState({ connection: "refused" });
        return;
      }
    }
    routeThrough(null);
    markLost();
    await wait(retryMs, signal);
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  }
}

function markLost(): void {
  useMirror.setState((state) =>
    state.connection === "lost"
      ? state
      : { connection: state.ready ? "lost" : "connecting", lostAt: state.lostAt ?? Date.now() },
  );
}

/** The connection is open and the core has stopped answering (true), or answers again (false). */
function markSilent(silent: boolean): void {
  useMirror.setState(({ connection, ready }) => {
    if (silent) return connection === "live" ? { connection: "silent", lostAt: Date.now() } : {};
    return connection === "silent" && ready ? { connection: "live", lostAt: null } : {};
  });
}

async function followUntilLost(link: OpenLink, signal: AbortSignal): Promise<void> {
  const scope = new AbortController();
  const end = () => scope.abort();
  signal.addEventListener("abort", end, { once: true });
  routeThrough(link);
  const heartbeat = new Heartbeat({
    ask: () => rpc.app.ping(undefined, { signal: scope.signal }),
    onSilent: markSilent,
  });
  try {
    await Promise.race([
      link.closed,
      follow(link, scope.signal, () => heartbeat.heard()),
      heartbeat.watch(scope.signal),
    ]);
  } finally {
    signal.removeEventListener("abort", end);
    scope.abort();
    link.close();
  }
}

async function follow(link: OpenLink, signal: AbortSignal, onHeard: () => void): Promise<void> {
  let early = link.snapshot;
  while (!signal.aborted) {
    const asked = await early;
    const snapshot = asked ?? (await rpc.app.snapshot(undefined, { signal }));
    early = undefined;
    onHeard();
    if (snapshot !== shownFirst) showSnapshot(snapshot);
    shownFirst = null;
    useMirror.setState({ connection: "live", lostAt: null });
    const events = await rpc.app.events({ epoch: snapshot.epoch, seq: snapshot.seq }, { signal });
    const outcome = await readEvents(events, snapshot, onHeard);
    if (outcome === "ended") return;
  }
}

async function readEvents(
  events: AsyncIterable<AppEvent>,
  { epoch, seq }: { epoch: string; seq: number },
  onHeard: () => void,
): Promise<"ended" | "resync"> {
  const frames = new FrameBatch();
  let last = seq;
  try {
    for await (const event of events) {
      onHeard();
      if (event.epoch !== epoch || event.type === "resync") return "resync";
      if (event.type !== "changes" || event.seq <= last) continue;
      last = event.seq;
      frames.add(event.changes);
    }
    return "ended";
  } finally {
    frames.flush();
  }
}

/** Gathers changes and applies them once a frame, so that a thousand updates a second cost sixty drawings. */
class FrameBatch {
  private pending: AppChange[] = [];
  private frame: number | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  add(changes: AppChange[]): void {
    this.pending.push(...changes);
    if (this.frame !== null) return;
    this.frame = requestAnimationFrame(() => this.flush());
    // A hidden page gets no frames, but must be up to date when it is shown again.
    this.timer = setTimeout(() => this.flush(), 250);
  }

  flush(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    if (this.timer !== null) clearTimeout(this.timer);
    this.frame = null;
    this.timer = null;
    const batch = this.pending;
    this.pending = [];
    applyChanges(batch);
  }
}
