import { useEffect, useState } from "react";
import type { CatalogEntry, PackageDetails } from "../../../contract/job.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useDiscover, useSources } from "../../features/catalogue/discover-store.ts";
import { kindOfSpec } from "../../features/install/spec-kind.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";

export interface LookedUp<T> {
  value: T | null;
  problem: ShownProblem | null;
  searching: boolean;
}

const looking = { value: null, problem: null, searching: true };
const none = { value: null, problem: null, searching: false };

/**
 * The entry of `spec`: from the lists where it is known, else from the registry, for people who came here by a link.
 */
export function useEntry(spec: string): LookedUp<CatalogEntry> {
  useSources();
  const listed = useDiscover(
    (state) =>
      state.index.entries.find(({ entry }) => entry.spec === spec)?.entry ??
      state.registry.entries.find((entry) => entry.spec === spec) ??
      null,
  );
  const asked = useDiscover((state) => state.listed.loaded || state.listed.problem !== null);
  const found = useLookUp(listed === null && asked && kindOfSpec(spec) === "npm", spec, findInRegistry);
  if (listed) return { value: listed, problem: null, searching: false };
  return asked ? found.answer : looking;
}

/** What the registry knows of a package; null for what is in none. */
export function useDetails(entry: CatalogEntry | null) {
  const isPackage = entry !== null && kindOfSpec(entry.spec) === "npm";
  return useLookUp(isPackage, entry?.packageName ?? "", askDetails);
}

async function findInRegistry(spec: string, signal: AbortSignal): Promise<CatalogEntry | null> {
  const { entries } = await rpc.catalog.search({ query: spec, scope: "registry" }, { signal });
  return entries.find((entry) => entry.spec === spec) ?? null;
}

const askDetails = (packageName: string, signal: AbortSignal): Promise<PackageDetails> =>
  rpc.catalog.details({ packageName }, { signal });

/** Asks once while `wanted`, again when `question` changes or `again` is called. */
function useLookUp<T>(
  wanted: boolean,
  question: string,
  ask: (question: string, signal: AbortSignal) => Promise<T | null>,
): { answer: LookedUp<T>; again(): void } {
  const live = useMirror(isConnected);
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<LookedUp<T>>(wanted ? looking : none);

  useEffect(() => {
    if (!wanted || !live || round < 0) {
      if (!wanted) setAnswer(none);
      return;
    }
    const scope = new AbortController();
    setAnswer(looking);
    ask(question, scope.signal).then(
      (value) => !scope.signal.aborted && setAnswer({ value, problem: null, searching: false }),
      (error: unknown) =>
        !scope.signal.aborted && setAnswer({ value: null, problem: problemOf(error), searching: false }),
    );
    return () => scope.abort();
  }, [wanted, live, question, ask, round]);

  return { answer, again: () => setRound((before) => before + 1) };
}
