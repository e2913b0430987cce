import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cleanLine, cleanText } from "../../../../contract/shown/clean-text.ts";
import type { ContextPart } from "../../../../contract/trace/context.ts";
import { formatBytes } from "../../../base/i18n/time.ts";
import { useOwnerNames } from "../../../features/approvals/names.ts";
import { useAction } from "../../../ui/action.ts";
import { cx } from "../../../ui/class-names.ts";
import { TextButton } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { formatTokens } from "./figures.ts";

interface PartRowProps {
  part: ContextPart;
  /** The whole text, asked of the core. */
  load(): Promise<string>;
}

/** A part of what was sent: whose it is and how large, and its text when it is unfolded. */
export function PartRow({ part, load }: PartRowProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { title, tokens, pictures } = part;
  const name = useTitle(part);
  const said = useWhose(part);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        className="flex w-full items-baseline gap-2 px-3 py-2 text-left text-sm hover:bg-sunk/60 focus-visible:-outline-offset-2"
        onClick={() => setOpen(!open)}
      >
        <ChevronRight
          className={cx("size-3 shrink-0 self-center text-hint transition-transform", open && "rotate-90")}
          aria-hidden="true"
        />
        <span className={cx("shrink-0 font-medium", part.kind === "tool" && title && "figure")}>{name}</span>
        {said && <span className="shrink-0 text-xs text-mute">{said}</span>}
        <span className="min-w-0 flex-1 truncate text-xs text-hint">
          {!open && (part.kind === "tool" ? "" : cleanLine(part.text.slice(0, 160)))}
        </span>
        {pictures > 0 && (
          <span className="shrink-0 text-xs text-mute">{t("context.pictures", { count: pictures })}</span>
        )}
        <span className="figure shrink-0 text-xs text-mute">{formatTokens(tokens)}</span>
      </button>
      {open && <PartText part={part} load={load} />}
    </li>
  );
}

function PartText({ part, load }: PartRowProps) {
  const { t } = useTranslation();
  const names = useOwnerNames(part.changes.map(({ owner }) => owner));
  const [whole, setWhole] = useState<string | null>(null);
  const reading = useAction(load);
  const text = whole ?? part.text;
  const isCut = whole === null && part.characters > part.text.length;
  const more = async () => {
    const read = await reading.act();
    if (read !== undefined) setWhole(read);
  };
  return (
    <div className="space-y-2 px-3 pb-3 pl-8">
      {part.changes.map(
        ({ owner, before }, at) =>
          before !== null && (
            <Passage
              key={`${owner} ${before.length}`}
              title={t("context.before", { plugin: names[at] })}
              text={before}
            />
          ),
      )}
      <Passage
        {...(part.changes.length > 0 && { title: t("context.after", { plugin: names.at(-1) }) })}
        text={isCut ? `${text}…` : text}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {isCut && (
          <TextButton className="text-xs" disabled={reading.busy} onClick={() => void more()}>
            {t("context.wholeText", { size: formatBytes(part.characters) })}
          </TextButton>
        )}
        <CopyButton label={t("context.copy")} text={() => text} />
      </div>
      {reading.problem && <ProblemNote problem={reading.problem} />}
    </div>
  );
}

/** A text as it was sent. */
export function Passage({ title, text }: { title?: string; text: string }) {
  return (
    <figure>
      {title && <figcaption className="mb-1 text-xs font-medium text-mute">{title}</figcaption>}
      <pre
        tabIndex={0}
        className="figure max-h-80 overflow-auto rounded-md bg-sunk px-3 py-2 text-xs break-words whitespace-pre-wrap"
      >
        {cleanText(text)}
      </pre>
    </figure>
  );
}

const sections = ["instructions", "workspace", "toolsets", "channel", "room", "skills", "prompt"] as const;

function useTitle({ kind, title }: ContextPart): string {
  const { t } = useTranslation();
  const known = kind === "section" ? sections.find((one) => one === title) : undefined;
  if (known) return t(`context.section.${known}`);
  if (title === "") return t(`context.kind.${kind}`);
  return kind === "result" ? `${t("context.kind.result")} · ${cleanLine(title)}` : cleanLine(title);
}

/** Whose a part is, or who changed it. */
function useWhose({ owner, changes }: ContextPart): string | null {
  const { t } = useTranslation();
  const last = changes.at(-1);
  const [plugin = ""] = useOwnerNames([last?.owner ?? owner ?? ""]);
  if (last)
    return changes[0]?.before === null
      ? t("context.addedBy", { plugin })
      : t("context.changedBy", { plugin });
  return owner === null ? null : t("context.from", { plugin });
}
