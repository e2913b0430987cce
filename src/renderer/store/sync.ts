import type { AppEvent, Snapshot } from "../../contract/app.ts";
import type { AppChange } from "../../contract/collections.ts";
import { Heartbeat } from "../base/client/heartbeat.ts";
import { type OpenLink, wait } from "../base/client/link.ts";
import { LinkError } from "../base/client/link-error.ts";
import { routeThrough, rpc } from "../base/client/rpc.ts";
import { applyChanges, showSnapshot, useMirror } from "./mirror.ts";

const firstRetryMs = 250;
const longestRetryMs = 2_000;
const longestFirstDrawingMs = 500;

export type OpenLinkFn = (signal: AbortSignal) => Promise<OpenLink>;

let shownFirst: Snapshot | null = null;

/**
 * Shows what the core said before there was a link to follow it over; resolves when that has been drawn, so that the work of
 * opening the link does not stand before it. What happens meanwhile is told by the first events.
 */
export async function showFirst(snapshot: Snapshot): Promise<void> {
  shownFirst = snapshot;
  showSnapshot(snapshot);
  useMirror.setState({ connection: "live", lostAt: null });
  await drawn();
}

/** After two frames, of which the first may still be one from before; a page that nobody looks at draws none. */
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

/** The connection is there, but nobody answers on it; or somebody does again. */
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
    // A hidden page gets no frames, but what it shows when it comes back must be current.
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
