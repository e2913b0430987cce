import { Hammer } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { usePluginActions } from "../../features/plugins/use-plugin-actions.ts";
import type { Row } from "../../model/rows.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

/** Says of a plugin whose scripts were not allowed that it is not made ready, and offers to let them run. */
export function NotBuiltNote({ row, actions }: { row: Row; actions: ReturnType<typeof usePluginActions> }) {
  const { t } = useTranslation();
  const scripts = row.plugin?.skippedScripts ?? [];
  if (scripts.length === 0) return null;
  return (
    <div
      role="status"
      className="flex items-start gap-3 rounded-lg border border-warn/35 bg-warn-wash px-4 py-3 text-sm"
    >
      <Hammer className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink">{t("plugin.notBuilt")}</p>
        {actions.problem && <ProblemNote problem={actions.problem} className="mt-2" />}
        <p className="mt-1 break-words text-mute">
          {t("page.notBuiltText", { scripts: scripts.join(", ") })}
        </p>
        <code className="figure mt-1 block break-all">{`patchbay plugin update ${row.key} --allow-scripts`}</code>
      </div>
      <Button size="sm" busy={actions.pending === "build"} onClick={() => actions.takeStep("build")}>
        {t("step.build")}
      </Button>
    </div>
  );
}
