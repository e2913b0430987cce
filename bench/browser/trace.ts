/** The fields of a Chromium trace event that are read here. Times in microseconds. */
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

/** What is traced: tasks of the main thread, input and painting. More categories would themselves cost time. */
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
  /** Time on a processor, without the time in which the thread waited for one. */
  cpuMs: number;
}

/** A recording of one page. */
export class Trace {
  /** The events of the page's main thread. */
  readonly #events: TraceEvent[];

  constructor(buffer: Buffer) {
    const { traceEvents } = JSON.parse(buffer.toString("utf8")) as { traceEvents: TraceEvent[] };
    this.#events = ofBusiestRenderer(traceEvents);
  }

  /** All tasks of the main thread, scripts and painting alike. */
  tasks(): Task[] {
    return this.#events
      .filter(({ name, ph }) => ph === "X" && name === "RunTask")
      .map(({ ts, dur = 0, tdur = dur }) => ({ at: ts / 1000, ms: dur / 1000, cpuMs: tdur / 1000 }));
  }

  /** The times at which the page was told of inputs of this type. */
  inputs(type: "keydown" | "input"): number[] {
    return this.#events
      .filter(({ name, args }) => name === "EventDispatch" && args.data?.type === type)
      .map(({ ts }) => ts / 1000);
  }
}

/** The events of the page that is measured: it does nearly all the work, the other pages are blank. */
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
