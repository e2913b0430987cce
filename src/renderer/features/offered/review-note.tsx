import { Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { PluginView } from "../../../contract/plugin.ts";
import { Button } from "../../ui/controls/button.tsx";
import { reviewPath } from "./review-dialog.tsx";

/** On the page of a plugin: it says something else than what was agreed to, and that waits for the person. */
export function ReviewNote({ agentId, plugin }: { agentId: string; plugin: PluginView }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const count = plugin.toLookAt ?? 0;
  if (count === 0) return null;
  return (
    <div role="status" className="rounded-lg border border-warn/35 bg-warn-wash px-4 py-3 text-sm">
      <div className="flex flex-wrap items-start gap-3">
        <Eye className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-medium break-words text-ink">
            {t("offered.noteTitle", { count, name: plugin.displayName })}
          </p>
          <p className="mt-0.5 break-words text-mute">{t("offered.noteText")}</p>
        </div>
        <Button
          size="sm"
          look="accent"
          onClick={() => void navigate(reviewPath(agentId, plugin.manifestKey))}
        >
          {t("offered.look")}
        </Button>
      </div>
    </div>
  );
}
