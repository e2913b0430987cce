import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { CatalogEntry } from "../../../contract/job.ts";
import { foundPath } from "../../base/routes.ts";

/** Packages of the registry that are called as was typed and do not say that they are plugins: said quietly, not counted. */
export function ForeignNote({ agentId, foreign }: { agentId: string; foreign: CatalogEntry[] }) {
  const { t } = useTranslation();
  return foreign.map((entry) => (
    <p key={entry.spec} role="note" className="mt-4 text-sm text-mute">
      {t("near.foreign", { name: entry.packageName })}{" "}
      <Link
        to={foundPath(agentId, entry.spec)}
        className="rounded-sm underline underline-offset-2 hover:text-ink"
      >
        {t("near.look", { name: entry.packageName })}
      </Link>
    </p>
  ));
}
