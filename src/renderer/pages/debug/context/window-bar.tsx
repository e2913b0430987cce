import { useTranslation } from "react-i18next";
import type { ContextGroup, ModelContext } from "../../../../contract/trace/context.ts";
import { cx } from "../../../ui/class-names.ts";
import { formatTokens } from "./figures.ts";

export const contextGroups = [
  "system",
  "tools",
  "history",
  "turn",
  "results",
] as const satisfies readonly ContextGroup[];

const tones: Record<ContextGroup, string> = {
  system: "bg-accent",
  tools: "bg-native",
  history: "bg-fledge",
  turn: "bg-flowly",
  results: "bg-dirge",
};

/** The request as a bar: its groups side by side, in the window where that is known. */
export function WindowBar({ context }: { context: ModelContext }) {
  const { t } = useTranslation();
  const sums = contextGroups.map((group) => ({
    group,
    tokens: context.parts.reduce((sum, part) => (part.group === group ? sum + part.tokens : sum), 0),
  }));
  const whole = Math.max(context.window ?? 0, context.tokens, 1);
  const free = (context.window ?? 0) - context.tokens;
  const filled = sums.filter(({ tokens }) => tokens > 0);
  return (
    <section aria-label={t("context.bar")}>
      <div className="flex h-3 overflow-hidden rounded-full bg-sunk" aria-hidden="true">
        {filled.map(({ group, tokens }) => (
          <span
            key={group}
            className={cx("min-w-[3px] border-r border-bg", tones[group])}
            style={{ width: `${(tokens / whole) * 100}%` }}
          />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {filled.map(({ group, tokens }) => (
          <li key={group} className="flex items-center gap-1.5">
            <span className={cx("size-2 rounded-full", tones[group])} aria-hidden="true" />
            {t(`context.group.${group}`)} <span className="figure text-mute">{formatTokens(tokens)}</span>
          </li>
        ))}
        {free > 0 && (
          <li className="flex items-center gap-1.5 text-mute">
            <span className="size-2 rounded-full border border-line-strong bg-sunk" aria-hidden="true" />
            {t("context.free")} <span className="figure">{formatTokens(free)}</span>
          </li>
        )}
      </ul>
    </section>
  );
}
