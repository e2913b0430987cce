import { CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ShownProblem } from "../base/client/problem.ts";
import { languageOfOriginal, problemWords } from "../base/i18n/problem-words.ts";
import { cx } from "./class-names.ts";
import { CopyButton } from "./controls/copy-button.tsx";

interface ProblemNoteProps {
  problem: ShownProblem;
  /** The next step as a button. */
  action?: ReactNode;
  tone?: "bad" | "warn";
  className?: string;
}

/** A failure in three layers: what happened, the next step, and the technical details folded below. */
export function ProblemNote({ problem, action, tone = "bad", className }: ProblemNoteProps) {
  const Icon = tone === "bad" ? CircleX : TriangleAlert;
  const { title, help, original } = problemWords(problem);
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={cx(
        "rounded-lg border px-4 py-3 text-sm",
        tone === "bad" ? "border-bad/35 bg-bad-wash" : "border-warn/35 bg-warn-wash",
        className,
      )}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2.5">
        <Icon
          className={cx("mt-0.5 size-4 shrink-0", tone === "bad" ? "text-bad" : "text-warn")}
          aria-hidden="true"
        />
        {/* Where the buttons leave the text no room, they stand below it. */}
        <div className={cx("min-w-0 flex-1", action !== undefined && "basis-[min(16rem,calc(100%-2rem))]")}>
          <p className="font-medium break-words text-ink">{title}</p>
          {help && <p className="mt-0.5 break-words text-mute">{help}</p>}
          {original && (
            <p lang={languageOfOriginal(problem)} className="mt-1 break-words text-mute">
              {original}
            </p>
          )}
          <ProblemDetails problem={problem} />
        </div>
        {action && <div className="flex max-w-full flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}

function ProblemDetails({ problem }: { problem: ShownProblem }) {
  const { t } = useTranslation();
  const text = () => detailsText(problem);
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">{t("problem.details")}</summary>
      <div className="mt-2 rounded-md border border-line bg-surface">
        <pre tabIndex={0} className="figure max-h-52 overflow-auto px-3 py-2 whitespace-pre-wrap">
          {text()}
        </pre>
        <div className="flex justify-end border-t border-line px-1 py-1">
          <CopyButton text={text} />
        </div>
      </div>
    </details>
  );
}

function detailsText(problem: ShownProblem): string {
  const lines = [`${problem.code}: ${problem.message}`];
  for (const [name, value] of Object.entries(problem.details ?? {}))
    lines.push(`${name}: ${typeof value === "string" ? value : JSON.stringify(value, null, 2)}`);
  return lines.join("\n");
}
