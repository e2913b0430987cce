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
  args: { name?: string; data?: { type?: string } };
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
  /** Of the page's main thread. */
  readonly #events: TraceEvent[];

  constructor(buffer: Buffer) {
    const { traceEvents } = JSON.parse(buffer.toString("utf8")) as { traceEvents: TraceEvent[] };
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
