import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../../contract/job.ts";
import { nearNames } from "../../../contract/shown/near-names.ts";
import { discover, useDiscover } from "../../features/catalogue/discover-store.ts";
import { kindOfSpec } from "../../features/install/spec-kind.ts";
import { panels } from "../../store/panels.ts";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { ForeignNote } from "./foreign-note.tsx";
import { NearNames } from "./near-names.tsx";

/** Nothing fits: the ways on are to see everything again, or to install what was typed by its own name. */
export function NothingFound({ agentId, foreign }: { agentId: string; foreign: CatalogEntry[] }) {
  const { t } = useTranslation();
  const query = useDiscover((state) => state.query.trim());
  const entries = useDiscover((state) => state.index.entries);
  const near = useMemo(
    () =>
      nearNames(
        query,
        entries.map(({ entry }) => entry),
      ),
    [query, entries],
  );
  return (
    <div className="mx-auto mt-[6vh] grid max-w-[60ch] justify-items-center text-center">
      <EmptyState
        size="page"
        as="h2"
        className="pb-4"
        title={query === "" ? t("discover.nothingFiltered") : t("discover.nothing", { query })}
        text={
          near.length > 0 ? (
            <NearNames agentId={agentId} near={near} />
          ) : (
            t(query === "" ? "empty.lessFinds" : "discover.nothingHelp")
          )
        }
        action={
          <>
            <Button onClick={discover.clear}>{t("discover.clear")}</Button>
            {kindOfSpec(query) !== null && (
              <Button
                look={kindOfSpec(query) === "npm" ? "plain" : "accent"}
                onClick={() => panels.openInstall(query)}
              >
                {t("discover.addTyped", { spec: query })}
              </Button>
            )}
          </>
        }
      />
      <ForeignNote agentId={agentId} foreign={foreign} />
    </div>
  );
}
