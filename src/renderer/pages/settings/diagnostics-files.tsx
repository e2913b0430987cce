import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DiagnosticsFile, DiagnosticsReport } from "../../../contract/diagnostics.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatBytes } from "../../base/i18n/time.ts";
import { cx } from "../../ui/class-names.ts";
import { ProblemNote } from "../../ui/problem-note.tsx";

interface FilesProps {
  report: DiagnosticsReport;
  leftOut: ReadonlySet<string>;
  onToggle(name: string): void;
}

/** The files of a report, each to be looked at and to be left out. */
export function DiagnosticsFiles({ report, leftOut, onToggle }: FilesProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(report.files[0]?.name ?? "");
  return (
    <section
      aria-label={t("diag.files")}
      className="grid h-[min(640px,64vh)] grid-rows-[minmax(0,2fr)_minmax(0,3fr)] overflow-hidden @2xl:grid-cols-[minmax(264px,3fr)_minmax(0,7fr)] @2xl:grid-rows-[minmax(0,1fr)] rounded-lg border border-line bg-surface shadow-card"
    >
      <ul className="overflow-y-auto border-line p-1.5 max-@2xl:border-b @2xl:border-r">
        {report.files.map((file) => (
          <li key={file.name}>
            <FileRow
              file={file}
              isShown={file.name === shown}
              isIncluded={!leftOut.has(file.name)}
              onShow={() => setShown(file.name)}
              onToggle={() => onToggle(file.name)}
            />
          </li>
        ))}
      </ul>
      <FileText key={shown} id={report.id} name={shown} isIncluded={!leftOut.has(shown)} />
    </section>
  );
}

interface RowProps {
  file: DiagnosticsFile;
  isShown: boolean;
  isIncluded: boolean;
  onShow(): void;
  onToggle(): void;
}

function FileRow({ file: { name, topic, bytes }, isShown, isIncluded, onShow, onToggle }: RowProps) {
  const { t } = useTranslation();
  return (
    <div
      className={cx(
        "flex items-center gap-2.5 rounded-md border pr-1 pl-2.5",
        isShown ? "border-line bg-sunk" : "border-transparent hover:bg-sunk/60",
      )}
    >
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        aria-label={t("diag.include", { name })}
        checked={isIncluded}
        onChange={onToggle}
      />
      <button
        type="button"
        aria-pressed={isShown}
        onClick={onShow}
        className="min-w-0 flex-1 rounded-sm py-1.5 text-left"
      >
        <span className="flex items-baseline gap-2">
          <span
            className={cx(
              "min-w-0 flex-1 truncate font-mono text-xs",
              isIncluded ? "text-ink" : "text-mute line-through",
            )}
            title={name}
          >
            {name}
          </span>
          <span className="figure shrink-0 text-xs text-mute">{formatBytes(bytes)}</span>
        </span>
        <span className="block truncate text-xs text-mute">{t(`diag.topic.${topic}`)}</span>
      </button>
    </div>
  );
}

function FileText({ id, name, isIncluded }: { id: string; name: string; isIncluded: boolean }) {
  const { t } = useTranslation();
  const { text, problem } = useText(id, name);
  if (problem)
    return (
      <div className="p-3">
        <ProblemNote problem={problem} />
      </div>
    );
  return (
    <section aria-label={t("diag.preview", { name })} className="flex min-w-0">
      <pre
        tabIndex={0}
        className={cx(
          "figure min-w-0 flex-1 overflow-auto px-4 py-3 text-xs leading-relaxed whitespace-pre-wrap break-words",
          !isIncluded && "text-mute",
        )}
      >
        {text === null ? t("diag.reading") : text || t("diag.emptyFile")}
      </pre>
    </section>
  );
}

function useText(id: string, name: string) {
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    rpc.diagnostics.text({ id, name }, { signal: leaving.signal }).then(
      (answer) => setText(answer.text),
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => leaving.abort();
  }, [id, name]);
  return { text, problem };
}
