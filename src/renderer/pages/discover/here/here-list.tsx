import { useTranslation } from "react-i18next";
import type { FoundPlugin } from "../../../../contract/found/found.ts";
import { BringList } from "../../../features/bring/bring-list.tsx";
import { noDiscoverFilter } from "../../../features/catalogue/catalogue-index.ts";
import { discover, useDiscover } from "../../../features/catalogue/discover-store.ts";
import { useHere } from "../../../features/catalogue/here-store.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { HereCard } from "./here-card.tsx";
import { HereProblems } from "./here-problems.tsx";
import { NothingHere } from "./nothing-here.tsx";

/** The plugins that other programs on this computer have, and why each is loaded there or not. */
export function HereList({ agentId, shown }: { agentId: string; shown: readonly FoundPlugin[] }) {
  const { t } = useTranslation();
  const found = useHere((state) => state.found);
  const problem = useHere((state) => state.problem);
  if (problem && found === null) return <ProblemNote problem={problem} />;
  if (found === null)
    return (
      <p className="flex items-center gap-2 text-mute">
        <Spinner />
        {t("here.looking")}
      </p>
    );
  if (found.plugins.length === 0) return <NothingHere looked={found.looked} />;
  if (shown.length === 0) return <NothingFits />;
  const servers = shown.filter(({ server }) => server !== undefined);
  const cards = shown.filter(({ server }) => server === undefined);
  return (
    <>
      <HereProblems looked={found.looked} />
      {servers.length > 0 && (
        <section aria-label={t("bring.title")} className="mb-6 max-w-[960px]">
          <h2 className="font-semibold">{t("bring.title")}</h2>
          <p className="mb-3 max-w-[80ch] text-sm text-mute">{t("bring.text")}</p>
          <BringList servers={servers} agentId={agentId} stays />
        </section>
      )}
      {cards.length > 0 && <Cards agentId={agentId} shown={cards} />}
    </>
  );
}

function Cards({ agentId, shown }: { agentId: string; shown: readonly FoundPlugin[] }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="mb-3 max-w-[80ch] text-sm text-mute">{t("here.intro")}</p>
      <ul
        aria-label={t("here.results")}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,420px),1fr))] gap-3"
      >
        {shown.map((plugin) => (
          <li key={`${plugin.runtime} ${plugin.dir ?? plugin.spec}`}>
            <HereCard agentId={agentId} plugin={plugin} />
          </li>
        ))}
      </ul>
    </>
  );
}

function NothingFits() {
  const { t } = useTranslation();
  const query = useDiscover((state) => state.query.trim());
  return (
    <EmptyState
      size="page"
      as="h2"
      title={query === "" ? t("discover.nothingFiltered") : t("discover.nothing", { query })}
      text={t("empty.lessFinds")}
      action={<Button onClick={showAll}>{t("discover.clear")}</Button>}
    />
  );
}

function showAll(): void {
  discover.look("");
  discover.narrow({ ...noDiscoverFilter, here: true });
}
