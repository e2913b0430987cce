import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContextPart, MessageChange, ModelContext } from "../../../../contract/trace/context.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatCost, formatNumber } from "../../../base/i18n/time.ts";
import { useOwnerNames } from "../../../features/approvals/names.ts";
import { useChosenSession } from "../../../store/chosen-session.ts";
import { useChosenTurn } from "../../../store/chosen-turn.ts";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { useRecord } from "../timeline/use-record.ts";
import { CompactionList } from "./compaction-list.tsx";
import { CostPart } from "./cost-part.tsx";
import { formatTokens } from "./figures.ts";
import { PartRow, Passage } from "./part-row.tsx";
import { ShareList } from "./share-list.tsx";
import { useContextOf } from "./use-context.ts";
import { contextGroups, WindowBar } from "./window-bar.tsx";

/** What the model was sent in one call of the chosen turn, who put it there, and what it cost. */
export function ContextTab({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const sessionId = useChosenSession(agentId);
  const chosen = useChosenTurn(agentId);
  const record = useRecord(agentId, sessionId, chosen.turnId);
  const turnId = record.turn?.turnId ?? null;
  const [wanted, setWanted] = useState<{ turnId: string | null; call: number } | null>(null);
  const asked = (record.events ?? []).filter(({ type }) => type === "model_asked");
  const pointed = asked.findIndex(({ spanId }) => spanId === chosen.spanId) + 1;
  const call = wanted?.turnId === turnId ? (wanted?.call ?? null) : pointed || null;
  const count = (record.events ?? []).filter(
    ({ type }) => type === "model_asked" || type === "model_answered",
  ).length;
  const { context, cost, problem } = useContextOf({ agentId, sessionId, turnId, call, count });
  const [query, setQuery] = useState("");
  if (problem?.code === "TURN_NOT_FOUND")
    return <EmptyState title={t("context.gone")} text={t("context.goneText")} />;
  const failed = record.problem ?? problem;
  if (failed) return <ProblemNote className="m-6" problem={failed} />;
  const isEmpty = turnId === null ? record.turns !== null : record.events !== null && count === 0;
  if (sessionId === null || isEmpty)
    return <EmptyState title={t("context.none")} text={t("context.noneText")} />;
  if (!context || !cost || turnId === null)
    return <p className="px-6 py-2 text-sm text-mute">{t("context.loading")}</p>;
  const load = async (part: ContextPart) =>
    (await rpc.contexts.text({ agentId, sessionId, turnId, call: context.call, part: part.index })).text;
  const fitting = context.parts.filter((part) => fits(part, query));
  return (
    <div className="min-h-0 flex-1 space-y-6 overflow-y-auto px-6 pt-1 pb-8">
      <Head context={context} onCall={(next) => setWanted({ turnId, call: next })} />
      <WindowBar context={context} />
      <p className="text-xs text-mute">{t(context.counted ? "context.counted" : "context.estimated")}</p>
      <ShareList title={t("context.by")} shares={context.shares} titleIs="h2" />
      <SearchField className="max-w-72" label={t("context.search")} value={query} onChange={setQuery} />
      {fitting.length === 0 && <p className="text-sm text-mute">{t("context.nothingFits")}</p>}
      {contextGroups.map((group) => (
        <Group
          key={`${turnId} ${context.call} ${group}`}
          title={t(`context.group.${group}`)}
          parts={fitting.filter((part) => part.group === group)}
          load={load}
        />
      ))}
      <Changes changes={context.changes} />
      <CompactionList compactions={cost.compactions} />
      <CostPart cost={cost} />
    </div>
  );
}

function Head({ context, onCall }: { context: ModelContext; onCall(call: number): void }) {
  const { t } = useTranslation();
  const { call, calls, model, window, tokens, counted, answer, cost } = context;
  const figures = [
    [t("context.sent"), t(counted ? "context.tokens" : "context.about", { tokens: formatTokens(tokens) })],
    [
      t("context.window"),
      window === null
        ? t("context.windowUnknown")
        : t("context.full", {
            percent: formatNumber((tokens / window) * 100, 1),
            window: formatTokens(window),
          }),
    ],
    [
      t("context.answer"),
      answer === null ? t("context.unknown") : t("context.tokens", { tokens: formatTokens(answer) }),
    ],
    [t("context.cost"), cost === null ? t("context.unknown") : formatCost(cost)],
  ];
  return (
    <header className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <select
          aria-label={t("context.call")}
          className="field h-8 w-auto py-0 text-sm"
          value={call}
          onChange={(event) => onCall(Number(event.target.value))}
        >
          {Array.from({ length: calls }, (_, at) => at + 1).map((one) => (
            <option key={one} value={one}>
              {t("context.callOf", { call: one, calls })}
            </option>
          ))}
        </select>
        <span className="text-sm text-mute">{model}</span>
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-mute">{name}</dt>
            <dd className="text-sm font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

interface GroupProps {
  title: string;
  parts: readonly ContextPart[];
  load(part: ContextPart): Promise<string>;
}

function Group({ title, parts, load }: GroupProps) {
  if (parts.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-1.5 flex items-baseline justify-between text-sm font-semibold">
        {title}
        <span className="figure pr-3 text-xs font-normal text-mute">
          {formatTokens(parts.reduce((sum, part) => sum + part.tokens, 0))}
        </span>
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {parts.map((part) => (
          <PartRow key={part.index} part={part} load={() => load(part)} />
        ))}
      </ul>
    </section>
  );
}

function Changes({ changes }: { changes: readonly MessageChange[] }) {
  const { t } = useTranslation();
  const names = useOwnerNames(changes.map(({ owner }) => owner));
  if (changes.length === 0) return null;
  return (
    <section aria-label={t("context.changes")}>
      <h2 className="mb-1.5 text-sm font-semibold">{t("context.changes")}</h2>
      <ul className="space-y-3">
        {changes.map(({ owner, removed, added }, at) => (
          <li key={`${owner} ${JSON.stringify([removed, added]).length}`} className="space-y-1.5">
            <p className="text-sm">{t("context.changeOf", { plugin: names[at] })}</p>
            {removed.map(({ text }) => (
              <Passage key={text} title={t("context.removed")} text={text} />
            ))}
            {added.map(({ text }) => (
              <Passage key={text} title={t("context.added")} text={text} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function fits({ title, text, owner }: ContextPart, query: string): boolean {
  const all = `${title} ${owner ?? ""} ${text}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
