import { Library, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { officialMcpRegistry } from "../../../../contract/found/mcp-list.ts";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Button, IconButton } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";

const key = "patchbay.mcpOffer";

/** Offers the servers of the MCP Registry, until the person has said yes or put it away. Nothing is asked before. */
export function McpOffer() {
  const { t } = useTranslation();
  const isOpen = useMirror((state) => state.settings?.mcpRegistry === null);
  const [isAway, setAway] = useState(() => localStorage.getItem(key) === "away");
  const save = useAction(saveSettings);
  if (!isOpen || isAway) return null;
  const putAway = () => {
    localStorage.setItem(key, "away");
    setAway(true);
  };
  return (
    <div className="mb-4">
      <aside className="flex items-center gap-3 rounded-lg border border-line bg-surface py-1.5 pr-1.5 pl-4 text-sm shadow-card">
        <Library className="size-4 shrink-0 text-[var(--mcp-text)]" aria-hidden="true" />
        <p className="min-w-0 flex-1 text-pretty">
          <span className="font-medium">{t("servers.offer")}</span>{" "}
          <span className="text-mute">{t("servers.offerHelp")}</span>
        </p>
        <Button
          size="sm"
          busy={save.busy}
          onClick={() => void save.act({ mcpRegistry: officialMcpRegistry })}
        >
          {t("servers.show")}
        </Button>
        <IconButton label={t("common.dismiss")} onClick={putAway}>
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </aside>
      {save.problem && <ProblemNote className="mt-2" problem={save.problem} />}
    </div>
  );
}
