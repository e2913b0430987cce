import { LayoutGrid } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { matrixPath, useAgentId } from "../../base/routes.ts";

export function MatrixLink() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  return (
    <Link
      to={matrixPath(agentId)}
      className="inline-flex h-8 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm font-semibold transition-colors hover:border-faint hover:bg-sunk"
    >
      <LayoutGrid className="size-4" aria-hidden="true" />
      {t("matrix.open")}
    </Link>
  );
}
