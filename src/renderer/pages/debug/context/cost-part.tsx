import { useTranslation } from "react-i18next";
import type { ConversationCost, ModelCost } from "../../../../contract/trace/context.ts";
import { formatCost } from "../../../base/i18n/time.ts";
import { formatTokens } from "./figures.ts";
import { ShareList } from "./share-list.tsx";

/** What the turn and the conversation cost, by model, and what plugins put into the turn's requests. */
export function CostPart({ cost }: { cost: ConversationCost }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="context-money" className="space-y-4">
      <h2 id="context-money" className="text-sm font-semibold">
        {t("context.money")}
      </h2>
      <Models title={t("context.ofTurn")} models={cost.turn} />
      <Models title={t("context.ofConversation")} models={cost.conversation} />
      {cost.shares.length > 0 && (
        <ShareList title={t("context.ofPlugins")} shares={cost.shares} titleIs="h3" withCost />
      )}
    </section>
  );
}

function Models({ title, models }: { title: string; models: readonly ModelCost[] }) {
  const { t } = useTranslation();
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-medium text-mute">{title}</h3>
      {models.length === 0 && <p className="text-sm text-mute">{t("context.nothingCounted")}</p>}
      <ul className="space-y-1 text-sm">
        {models.map((one) => (
          <li key={one.model} className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 flex-1 truncate">{one.model}</span>
            <span className="text-xs text-mute">
              {t("context.calls", { count: one.calls })} ·{" "}
              {t("context.inOut", { input: formatTokens(one.input), output: formatTokens(one.output) })}
            </span>
            <span className="figure text-xs">
              {one.unpriced === one.calls
                ? t("context.noPrice")
                : one.unpriced > 0
                  ? t("context.somePrice", { count: one.unpriced, cost: formatCost(one.cost) })
                  : formatCost(one.cost)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
