import { useTranslation } from "react-i18next";
import type { ContextShare } from "../../../../contract/trace/context.ts";
import { formatCost } from "../../../base/i18n/time.ts";
import { useOwnerNames } from "../../../features/approvals/names.ts";
import { formatTokens } from "./figures.ts";

interface ShareListProps {
  title: string;
  shares: readonly ContextShare[];
  /** What it cost stands behind the tokens. */
  withCost?: boolean;
  /** It stands by itself, or under a title. */
  titleIs: "h2" | "h3";
}

/** By plugin, the most first: tokens as a line, and what they cost. */
export function ShareList({ title, shares, withCost = false, titleIs: Title }: ShareListProps) {
  const { t } = useTranslation();
  const names = useOwnerNames(shares.map(({ owner }) => owner ?? ""));
  const most = Math.max(1, ...shares.map(({ tokens }) => tokens));
  return (
    <section aria-label={title}>
      <Title className="mb-1.5 text-xs font-medium text-mute">{title}</Title>
      <ul className="space-y-1.5">
        {shares.map(({ owner, tokens, cost }, at) => (
          <li key={owner ?? ""} className="text-sm">
            <div className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate">
                {owner === null ? t("context.core") : names[at]}
              </span>
              <span className="figure text-xs text-mute">{formatTokens(tokens)}</span>
              {withCost && (
                <span className="figure w-28 text-right text-xs">
                  {cost === null ? t("context.noPrice") : formatCost(cost)}
                </span>
              )}
            </div>
            <div className="mt-0.5 h-1 rounded-full bg-sunk" aria-hidden="true">
              <div
                className="h-1 rounded-full bg-line-strong"
                style={{ width: `${(tokens / most) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
