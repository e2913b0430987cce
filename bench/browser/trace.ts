/** An event of Chromium's own tracing, as far as it is read here. Times in microseconds. */
interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args: { name?: string; data?: { type?: string; navigationId?: string } };
}

/** What to trace: work of the main thread, input and painting; nothing else, which would cost time itself. */
export const traceCategories = [
  "-*",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "blink.user_timing",
  "loading",
  "toplevel",
];

/** A piece of work of the page's main thread. Times in milliseconds. */
export interface Task {
  at: number;
  ms: number;
  /** Without what the thread waited for a processor. */
  cpuMs: number;
}

/** A recording of one page. */
export class Trace {
  readonly #all: TraceEvent[];
  /** Of the page's main thread. */
  readonly #events: TraceEvent[];

  constructor(buffer: Buffer) {
    const { traceEvents } = JSON.parse(buffer.toString("utf8")) as { traceEvents: TraceEvent[] };
    this.#all = traceEvents;
    this.#events = ofBusiestRenderer(traceEvents);
  }

  /** Everything that the main thread did, one entry a task, script and painting alike. */
  tasks(): Task[] {
    return this.#events
      .filter(({ name, ph }) => ph === "X" && name === "RunTask")
      .map(({ ts, dur = 0, tdur = dur }) => ({ at: ts / 1000, ms: dur / 1000, cpuMs: tdur / 1000 }));
  }

  /** When the page was told of each input of this type. */
  inputs(type: "keydown" | "input"): number[] {
    return this.#events
      .filter(({ name, args }) => name === "EventDispatch" && args.data?.type === type)
      .map(({ ts }) => ts / 1000);
  }

  /** Milliseconds from a navigation to the first text or picture on the screen. */
  firstContentfulPaint(): number {
    const painted = this.#all.find(({ name }) => name === "firstContentfulPaint");
    const id = painted?.args.data?.navigationId;
    // Begun before the page had a process of its own, perhaps.
    const began = this.#all.find(
      ({ name, args }) => name === "navigationStart" && args.data?.navigationId === id,
    );
    if (!painted || !began) throw new Error("The recording holds no first paint.");
    return (painted.ts - began.ts) / 1000;
  }
}

/** The page that is measured does nearly all the work; the others are blank. */
function ofBusiestRenderer(events: TraceEvent[]): TraceEvent[] {
  const mains = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const busy = mains.map(({ pid, tid }) => {
    const own = events.filter((event) => event.pid === pid && event.tid === tid);
    return {
      own,
      ms: own.reduce((sum, event) => sum + (event.name === "RunTask" ? (event.dur ?? 0) : 0), 0),
    };
  });
  const busiest = busy.sort((a, b) => b.ms - a.ms)[0];
  if (!busiest) throw new Error("The recording holds no page.");
  return busiest.own.sort((a, b) => a.ts - b.ts);
}
