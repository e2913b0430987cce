import { useCallback, useEffect, useRef, useState } from "react";
import type { FoundPlugin } from "../../../contract/found/found.ts";
import type { Job } from "../../../contract/job.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useMirror } from "../../store/mirror.ts";
import { type Clash, namesOf, type Taken } from "./taken-names.ts";

/** How far one server is. */
export interface Bringing {
  job: Job | null;
  /** Its settings are with the agent. */
  handed: boolean;
  problem: ShownProblem | null;
}

export interface Bring {
  ticked: ReadonlySet<string>;
  tick(spec: string, on: boolean): void;
  clashOf(spec: string): Clash;
  /** Who has its name already; null: nobody. */
  takenOf(spec: string): Taken | null;
  settle(spec: string, clash: Clash): void;
  of(spec: string): Bringing | null;
  /** Starts the jobs of those that are ticked. */
  go(): Promise<void>;
  /** The jobs that wait for the question of consent. */
  waiting: readonly Job[];
  /** Agrees to all of them. */
  agree(): Promise<void>;
  busy: boolean;
}

/** Brings servers to an agent: each by a job of its own, and then what was set in the other program. */
export function useBring(servers: readonly FoundPlugin[], agentId: string): Bring {
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [clashes, setClashes] = useState<ReadonlyMap<string, Clash>>(new Map());
  const [started, setStarted] = useState<ReadonlyMap<string, string>>(new Map());
  const [ended, setEnded] = useState<ReadonlyMap<string, ShownProblem | null>>(new Map());
  const [busy, setBusy] = useState(false);
  const handing = useRef(new Set<string>());
  const jobs = useMirror((state) => state.jobs);

  const plugins = useMirror((state) => state.plugins);

  const clashOf = (spec: string) => clashes.get(spec) ?? "skip";
  const { ticked, taken } = namesOf(servers, {
    isTicked: ({ spec, status }) => ticks.get(spec) ?? status === "enabled",
    isStarted: (spec) => started.has(spec),
    isInstalled: (key) => plugins.has(key),
    clashOf,
  });
  const note = useCallback((spec: string, problem: ShownProblem | null) => {
    setEnded((all) => new Map(all).set(spec, problem));
  }, []);

  // What was begun before the list was left goes on in it.
  useEffect(() => {
    const mine = new Set(servers.map(({ spec }) => spec));
    const found = [...jobs.values()].filter(
      ({ kind, spec, endedAt }) =>
        kind === "install" && endedAt === null && mine.has(spec) && !started.has(spec),
    );
    if (found.length > 0)
      setStarted((all) => new Map([...all, ...found.map(({ spec, id }) => [spec, id] as const)]));
  }, [jobs, servers, started]);

  useEffect(() => {
    for (const [spec, id] of started) {
      const job = jobs.get(id);
      if (job?.status !== "done" || job.pluginKey === null || handing.current.has(id)) continue;
      handing.current.add(id);
      rpc.agentPlugins.bring({ agentId, key: job.pluginKey }).then(
        () => note(spec, null),
        (error: unknown) => note(spec, problemOf(error)),
      );
    }
  }, [started, jobs, agentId, note]);

  const begin = async ({ spec }: FoundPlugin) => {
    const clash = taken.get(spec);
    try {
      const more =
        clash && clashOf(spec) === "rename" ? { key: clash.other } : { replace: clash !== undefined };
      const job = await rpc.jobs.install({ spec, ...more });
      setStarted((all) => new Map(all).set(spec, job.id));
    } catch (error) {
      note(spec, problemOf(error));
    }
  };
  const waiting = [...started.values()].flatMap((id) => {
    const job = jobs.get(id);
    return job?.status === "waiting" && job.question === "install" && !job.consent?.risk ? [job] : [];
  });
  const during = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work().finally(() => setBusy(false));
  };

  return {
    ticked,
    tick: (spec, on) => setTicks((all) => new Map(all).set(spec, on)),
    clashOf,
    takenOf: (spec) => taken.get(spec) ?? null,
    settle: (spec, clash) => setClashes((all) => new Map(all).set(spec, clash)),
    of: (spec) => {
      const id = started.get(spec);
      if (id === undefined && !ended.has(spec)) return null;
      const job = (id !== undefined && jobs.get(id)) || null;
      return {
        job,
        handed: ended.get(spec) === null && job?.status === "done",
        problem: ended.get(spec) ?? null,
      };
    },
    go: () => during(() => Promise.all(servers.filter(({ spec }) => ticked.has(spec)).map(begin))),
    waiting,
    agree: () =>
      during(() =>
        Promise.all(
          waiting.map((job) =>
            rpc.jobs
              .consent({
                id: job.id,
                accept: true,
                question: "install",
                // What it replaces leaves its settings to it, without secrets and rules.
                inherit: { settings: job.consent?.takesPlaceOf !== undefined },
              })
              .catch(() => {}),
          ),
        ),
      ),
    busy,
  };
}
