import { useTranslation } from "react-i18next";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { useMirror } from "../../../store/mirror.ts";
import { cx } from "../../../ui/class-names.ts";
import { PluginName } from "../by-hand/plugin-name.tsx";

interface ToolListProps {
  tools: readonly ToolRight[];
  chosen: string | null;
  onChoose(name: string): void;
}

/** Tools to choose from, by whose they are. */
export function ToolList({ tools, chosen, onChoose }: ToolListProps) {
  const { t } = useTranslation();
  const plugins = useMirror((state) => state.plugins);
  return [...Map.groupBy(tools, ({ owner }) => owner)].map(([owner, own]) => (
    <section
      key={owner ?? ""}
      aria-label={owner === null ? t("tools.builtIn") : (plugins.get(owner)?.displayName ?? owner)}
      className="mb-3"
    >
      <p className="flex h-9 items-center px-2">
        <PluginName owner={owner} />
      </p>
      <ul>
        {own.map((tool) => (
          <li key={tool.name}>
            <button
              type="button"
              aria-current={tool.name === chosen || undefined}
              onClick={() => onChoose(tool.name)}
              className={cx(
                "flex w-full items-baseline gap-2 rounded-md px-2 py-1.5 text-left transition-colors",
                tool.name === chosen
                  ? "bg-raised text-ink shadow-card"
                  : "text-mute hover:bg-surface hover:text-ink",
              )}
            >
              <code className="figure min-w-0 flex-1 truncate font-medium">{tool.title}</code>
              <span className={cx("shrink-0 text-xs", tool.effect === "deny" && "text-bad")}>
                {t(`callTool.effect.${tool.effect}`)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
}
