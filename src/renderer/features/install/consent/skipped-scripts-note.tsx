import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PluginView } from "../../../../contract/plugin.ts";

type Named = Pick<PluginView, "manifestKey" | "skippedScripts">;

/** Says which scripts of a plugin did not run because they were not allowed, and how to let them. Empty when none is missing. */
export function SkippedScriptsNote({ plugin }: { plugin: Named }) {
  const { t } = useTranslation();
  const { manifestKey, skippedScripts = [] } = plugin;
  if (skippedScripts.length === 0) return null;
  return (
    <div
      role="status"
      className="flex items-start gap-3 rounded-lg border border-warn/35 bg-warn-wash px-4 py-3 text-sm"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words text-ink">
          {t("skipped.title", { names: skippedScripts.join(", ") })}
        </p>
        <p className="mt-0.5 break-words text-mute">{t("skipped.help")}</p>
        <code className="figure mt-1 block break-all">{`patchbay plugin update ${manifestKey} --allow-scripts`}</code>
      </div>
    </div>
  );
}
