import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../../contract/job.ts";
import { nearNames } from "../../../contract/shown/near-names.ts";
import { discover, useDiscover } from "../../features/catalogue/discover-store.ts";
import { kindOfSpec } from "../../features/install/spec-kind.ts";
import { panels } from "../../store/panels.ts";
import { Button } from "../../ui/controls/button.tsx";
import { PatchFrame } from "../../ui/patch/frame.tsx";
import { Jack } from "../../ui/patch/jack.tsx";
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
    <div className="mx-auto mt-[10vh] grid max-w-[52ch] justify-items-center gap-2 text-center">
      <PatchFrame width={96} height={40} className="mb-2">
        {[16, 48, 80].map((x) => (
          <Jack key={x} x={x} y={20} radius={11} />
        ))}
      </PatchFrame>
      <p className="font-semibold break-words">
        {query === "" ? t("discover.nothingFiltered") : t("discover.nothing", { query })}
      </p>
      {near.length > 0 && <NearNames agentId={agentId} near={near} />}
      {query !== "" && near.length === 0 && (
        <p className="text-sm text-balance text-mute">{t("discover.nothingHelp")}</p>
      )}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <Button onClick={discover.clear}>{t("discover.clear")}</Button>
        {kindOfSpec(query) !== null && (
          <Button
            look={kindOfSpec(query) === "npm" ? "plain" : "accent"}
            onClick={() => panels.openInstall(query)}
          >
            {t("discover.addTyped", { spec: query })}
          </Button>
        )}
      </div>
      <ForeignNote agentId={agentId} foreign={foreign} />
    </div>
  );
}
