import { Bot, CornerDownRight, GitBranch, Pencil, Slash, Tag, User, Wrench } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../../base/client/rpc.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useChosenSession } from "../../../store/chosen-session.ts";
import { useAction } from "../../../ui/action.ts";
import { cx } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { NameForm } from "../../../ui/naming/name-form.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { TreeRow } from "./tree-rows.ts";
import { useTree } from "./use-tree.ts";

const icons = {
  user: User,
  assistant: Bot,
  tools: Wrench,
  command: Slash,
  compaction: CornerDownRight,
  other: CornerDownRight,
} as const;

/** Every place of the open conversation, branches that were left too, with the way back to each. */
export function SessionTree({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const sessionId = useChosenSession(agentId);
  const { rows, problem } = useTree(agentId, sessionId);
  const moving = useAction(async (entryId: string, at: "before" | "at") => {
    if (sessionId !== null) await rpc.sessions.fork({ agentId, sessionId, entryId, at });
  });
  const trouble = problem ?? moving.problem;
  return (
    <section aria-labelledby="tree-title" className="min-w-0 flex-1 overflow-y-auto px-6 py-5">
      <header className="pb-4">
        <h2 id="tree-title" className="title">
          {t("debug.tree")}
        </h2>
        <p className="text-pretty text-mute">{t("debug.treeText")}</p>
      </header>
      {trouble && <ProblemNote className="mb-4" problem={trouble} />}
      {sessionId !== null && rows === null && !problem && <Spinner className="text-mute" />}
      {(sessionId === null || rows?.length === 0) && (
        <EmptyState title={t("debug.treeEmpty")} text={t("debug.treeEmptyText")} />
      )}
      {sessionId !== null && rows && rows.length > 0 && (
        <ol className="space-y-px" aria-label={t("debug.tree")}>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              place={{ agentId, sessionId }}
              busy={moving.busy}
              onMove={(at) => void moving.act(row.id, at)}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

interface RowProps {
  row: TreeRow;
  place: { agentId: string; sessionId: string };
  busy: boolean;
  onMove(at: "before" | "at"): void;
}

function Row({ row, place, busy, onMove }: RowProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const [naming, setNaming] = useState(false);
  const Icon = icons[row.kind];
  const text = row.text.trim().split("\n")[0] ?? "";
  return (
    <li
      style={{ paddingLeft: `${Math.min(row.depth, 8) * 22}px` }}
      aria-current={row.isEnd || undefined}
      className="group"
    >
      <div
        className={cx(
          "relative flex min-h-9 items-center gap-2.5 rounded-md py-1 pr-1 pl-3",
          row.onPath ? "text-ink" : "text-mute",
          "hover:bg-surface focus-within:bg-surface",
        )}
      >
        <span
          aria-hidden="true"
          className={cx(
            "absolute inset-y-0 left-0 w-0.5 rounded-full",
            row.isEnd
              ? "bg-accent"
              : row.onPath
                ? "bg-line-strong"
                : "border-l-2 border-dotted border-line-strong bg-transparent",
          )}
        />
        <Icon className="size-4 shrink-0 text-hint" aria-hidden="true" />
        <span className="sr-only">{t(`debug.kind.${row.kind}`)}</span>
        <span
          className={cx("min-w-0 flex-1 truncate text-sm", row.kind === "tools" && "figure")}
          title={row.text}
        >
          {text}
        </span>
        {row.label !== null && (
          <span className="inline-flex h-5 max-w-48 shrink-0 items-center gap-1 rounded-full border border-line-strong px-2 text-xs font-medium">
            <Tag className="size-3 shrink-0 text-hint" aria-hidden="true" />
            <span className="truncate">{row.label}</span>
          </span>
        )}
        <time dateTime={row.at} className="shrink-0 text-xs text-hint">
          {formatAgo(row.at, now)}
        </time>
        <span className="flex w-21 shrink-0 justify-end opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
          <IconButton label={t("debug.name", { text })} className="size-7" onClick={() => setNaming(true)}>
            <Tag className="size-3.5" aria-hidden="true" />
          </IconButton>
          {row.kind === "user" && (
            <IconButton
              label={t("debug.editFrom", { text })}
              className="size-7"
              disabled={busy}
              onClick={() => onMove("before")}
            >
              <Pencil className="size-3.5" aria-hidden="true" />
            </IconButton>
          )}
          <IconButton
            label={t("debug.goFrom", { text })}
            className="size-7"
            disabled={busy || row.isEnd}
            onClick={() => onMove("at")}
          >
            <GitBranch className="size-3.5" aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      {naming && (
        <NameForm
          className="py-1 pl-9"
          label={t("debug.nameOf")}
          name={row.label ?? ""}
          mayBeEmpty
          save={(name) => rpc.sessions.label({ ...place, entryId: row.id, label: name || null })}
          onClose={() => setNaming(false)}
        />
      )}
    </li>
  );
}
