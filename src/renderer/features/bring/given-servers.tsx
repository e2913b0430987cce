import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundPlugin } from "../../../contract/found/found.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { BringList } from "./bring-list.tsx";
import { ServerFacts } from "./server-facts.tsx";

/** What the core has read in a typed command line or a pasted text; null while it is asked, or for any other text. */
export interface GivenServers {
  /** The text that was read. */
  text: string;
  servers: readonly FoundPlugin[];
  problem: ShownProblem | null;
}

/** For how long nothing is typed before the core is asked, in milliseconds. */
const PAUSE_MS = 200;

/** Asks the core what a text describes, once the person pauses. `null`: it describes no servers. */
export function useGiven(text: string | null): GivenServers | null {
  const [read, setRead] = useState<GivenServers | null>(null);
  useEffect(() => {
    if (text === null) return;
    const scope = new AbortController();
    const timer = setTimeout(() => {
      rpc.plugins.given({ text }, { signal: scope.signal }).then(
        (servers) => setRead({ text, servers, problem: null }),
        (error: unknown) => {
          if (!scope.signal.aborted) setRead({ text, servers: [], problem: problemOf(error) });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      scope.abort();
    };
  }, [text]);
  return text !== null && read?.text === text ? read : null;
}

/** What a text became: one server with its facts, or several with a tick each. */
export function GivenView({ given, agentId }: { given: GivenServers; agentId: string }) {
  const { t } = useTranslation();
  const [one, ...more] = given.servers;
  if (given.problem) return <ProblemNote problem={given.problem} />;
  if (!one?.server) return null;
  return (
    <section aria-label={t("bring.pasted")}>
      <h3 className="mb-2 text-sm font-semibold">{t("bring.pasted")}</h3>
      {more.length > 0 ? (
        <BringList servers={given.servers} agentId={agentId} label={t("bring.pasted")} />
      ) : (
        <div className="rounded-lg border border-line px-4 py-3">
          <p className="mb-2 flex flex-wrap items-baseline gap-x-2">
            <span className="font-semibold">{one.name}</span>
            <span className="text-sm text-mute">{t(`bring.how.${one.server.how}`)}</span>
          </p>
          <ServerFacts server={one.server} />
        </div>
      )}
    </section>
  );
}
