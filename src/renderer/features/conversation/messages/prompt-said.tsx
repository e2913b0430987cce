import { SquareSlash } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FilledPrompt } from "../../../../contract/conversation/offered.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { cx } from "../../../ui/class-names.ts";
import { FoldedText } from "./folded-text.tsx";

/** Which prompt a message was made of, and what that says before it. */
export function PromptSaid({ prompt: { owner, line, before = [] } }: { prompt: FilledPrompt }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(owner) ?? owner;
  return (
    <>
      <p className="mb-1.5 flex max-w-full items-center gap-1.5 text-xs text-mute">
        <SquareSlash className="size-3.5 shrink-0" aria-hidden="true" />
        <code className="figure truncate" title={line}>
          {line}
        </code>
        <span className="shrink-0">{t("attachable.from", { plugin })}</span>
      </p>
      {before.map(({ role, text }, index) => (
        <div
          // They never change.
          // biome-ignore lint/suspicious/noArrayIndexKey: a message has no other name
          key={index}
          className={cx(
            "mb-1.5 max-w-full rounded-lg border border-dashed border-line-strong px-3.5 py-2.5 break-words whitespace-pre-wrap",
            role === "assistant" && "mr-8 self-start text-mute",
          )}
        >
          <span className="mb-0.5 block text-xs text-mute">
            {t(role === "user" ? "attachable.saidByYou" : "attachable.saidByAgent")}
          </span>
          <FoldedText text={text} />
        </div>
      ))}
    </>
  );
}
