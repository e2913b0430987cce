import { useTranslation } from "react-i18next";
import type { ToolInfo, Withheld } from "../../../contract/tools/tool-info.ts";
import { formatCount } from "../../base/i18n/time.ts";
import { useDisplayName } from "../../model/rows.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextButton } from "../../ui/controls/button.tsx";
import { Switch } from "../../ui/controls/switch.tsx";
import { SuspicionList } from "./suspicion-list.tsx";
import { tokensOf } from "./tokens.ts";

interface ToolLineProps {
  tool: ToolInfo;
  pending: boolean;
  /** Null: nothing can be switched here. */
  onSwitch: ((on: boolean) => void) | null;
  onLook(): void;
}

/** One tool: what it does, what it costs in each call of the model, and whether the agent is offered it. */
export function ToolLine({ tool, pending, onSwitch, onLook }: ToolLineProps) {
  const { t } = useTranslation();
  const { title, label, description, readOnly, danger, withheld, suspicious = [], reading, owner } = tool;
  const plugin = useDisplayName(owner) ?? owner;
  const waits = withheld === "held" || withheld === "new";
  return (
    <li className="flex items-start gap-3 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="figure font-semibold wrap-anywhere">{title}</code>
          {label && label !== title && !title.endsWith(`.${label}`) && (
            <span className="text-sm text-mute">{label}</span>
          )}
          {reading && <Badge>{t("offered.ours")}</Badge>}
          {readOnly && <Badge>{t("page.readOnly")}</Badge>}
          {danger === "dangerous" && <Badge>{t("asked.dangerous")}</Badge>}
          <span className="text-xs text-hint">
            {t("offered.tokens", { tokens: formatCount(tokensOf(tool)) })}
          </span>
        </div>
        <p className="mt-0.5 line-clamp-4 text-sm wrap-anywhere text-mute">
          {reading ? t(`tools.does.${reading}`, { plugin }) : description}
        </p>
        <SuspicionList suspicions={suspicious} />
        {withheld && (
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm">
            <span className={waits ? "font-medium text-warn" : "text-mute"}>{t(wordOf(withheld))}</span>
            {waits && <TextButton onClick={onLook}>{t("offered.look")}</TextButton>}
          </p>
        )}
      </div>
      {onSwitch && (
        <Switch
          label={t("offered.switch", { tool: title })}
          checked={withheld === undefined}
          disabled={waits}
          pending={pending}
          onChange={onSwitch}
        />
      )}
    </li>
  );
}

function wordOf(withheld: Withheld) {
  return `offered.withheld.${withheld}` as const;
}
