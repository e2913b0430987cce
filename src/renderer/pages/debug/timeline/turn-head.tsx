import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { RecordedTurn } from "../../../../contract/procedures/debug/traces.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import { formatClock, formatCost, formatCount, formatMs } from "../../../base/i18n/time.ts";
import { ExportMenu } from "../../../features/traces/public.ts";
import { Figure } from "./figure.tsx";
import type { Figures } from "./rows/figures.ts";

interface TurnHeadProps {
  turns: readonly RecordedTurn[];
  turnId: string;
  place: { agentId: string; sessionId: string };
  figures: Figures | null;
  onTurn(turnId: string | null): void;
}

/** Which turn is looked at, and its four figures. */
export function TurnHead({ turns, turnId, place, figures, onTurn }: TurnHeadProps) {
  const { t } = useTranslation();
  const newest = turns.at(-1)?.turnId;
  return (
    <header className="flex shrink-0 flex-wrap items-end justify-between gap-x-4 gap-y-2 pb-3">
      <dl className="flex flex-wrap gap-x-4 gap-y-2">
        <Figure name={t("timeline.figure.turn")} value={figures ? formatMs(figures.turnMs) : "–"} />
        <Figure name={t("timeline.figure.model")} value={figures ? modelWords(figures, t) : "–"} />
        <Figure
          name={t("timeline.figure.tools")}
          value={
            figures
              ? figures.calls === 0
                ? t("timeline.calls", { count: 0 })
                : `${t("timeline.calls", { count: figures.calls })} · ${formatMs(figures.toolMs)}`
              : "–"
          }
        />
        <Figure
          name={t("timeline.figure.waiting")}
          value={figures && figures.waitedMs > 0 ? formatMs(figures.waitedMs) : "–"}
        />
      </dl>
      <div className="flex min-w-0 flex-wrap items-center justify-end gap-2">
        <select
          className="field h-8 w-44 max-w-full py-0 text-xs"
          aria-label={t("timeline.turn")}
          value={turnId}
          onChange={({ target }) => onTurn(target.value === newest ? null : target.value)}
        >
          {turns.toReversed().map((turn) => (
            <option key={turn.turnId} value={turn.turnId}>
              {t("timeline.turnAt", { time: formatClock(turn.at), text: cleanLine(turn.text).slice(0, 80) })}
            </option>
          ))}
        </select>
        <ExportMenu key={turnId} {...place} turnId={turnId} />
      </div>
    </header>
  );
}

function modelWords({ modelMs, tokens, cost }: Figures, t: TFunction): string {
  if (modelMs === 0) return "–";
  const counted =
    tokens === null ? [] : [t("timeline.tokens", { count: tokens, figure: formatCount(tokens) })];
  return [formatMs(modelMs), ...counted, ...(cost === null ? [] : [formatCost(cost)])].join(" · ");
}
