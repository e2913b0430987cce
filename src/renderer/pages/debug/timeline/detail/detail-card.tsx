import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RecordEvent, RecordEventOf } from "../../../../../contract/record.ts";
import { formatMs } from "../../../../base/i18n/time.ts";
import { WhyCalled } from "../../../../features/policies/public.ts";
import { useMirror } from "../../../../store/mirror.ts";
import { IconButton } from "../../../../ui/controls/button.tsx";
import { JsonDiff } from "../../../../ui/json/json-diff.tsx";
import { ProblemNote } from "../../../../ui/problem-note.tsx";
import { StateMark } from "../chart/bar.tsx";
import { colourOf } from "../chart/colours.ts";
import { rowWords } from "../rows/row-words.ts";
import type { TimelineRow } from "../rows/rows.ts";
import { DetailLinks } from "./detail-links.tsx";
import { EventsJson } from "./events-json.tsx";
import { placeIn } from "./place.ts";
import type { RecordPlace } from "./record-place.ts";
import { tell } from "./tell.ts";
import { Value } from "./value.tsx";

interface DetailCardProps {
  place: RecordPlace;
  row: TimelineRow;
  rows: readonly TimelineRow[];
  events: readonly RecordEvent[];
  nameOf(key: string): string;
  onClose(): void;
}

/** What happened in one row, told as a person would, with the way to what is behind it. */
export function DetailCard({ place, row, rows, events, nameOf, onClose }: DetailCardProps) {
  const { t } = useTranslation();
  const plugins = useMirror((state) => state.plugins);
  const { what, who } = rowWords(row, events, { t, nameOf });
  const story = tell({ row, rows, events, t, nameOf });
  const title = who === null ? what : `${what} · ${who}`;
  const artifact = row.owner === null ? undefined : plugins.get(row.owner)?.artifact;
  const folder = artifact?.kind === "folder" ? artifact.dir : null;
  const code = placeIn(story.code ?? [], folder);
  const call = toolCallOf(row, events);
  const about = [
    ...(row.of.kind === "span" && row.end !== null ? [formatMs(row.end - row.begin)] : []),
    ...(row.of.kind === "span" && row.of.span.place ? [t("detail.hookOf", { ...row.of.span.place })] : []),
  ];
  return (
    <section
      aria-label={t("detail.label", { what: title })}
      className="mt-4 max-h-[46%] shrink-0 overflow-y-auto rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <header className="flex items-start gap-2.5">
        <span
          aria-hidden="true"
          className="mt-[5px] size-2.5 shrink-0 rounded-full"
          style={{ background: colourOf(row, plugins) }}
        />
        <h2 className="min-w-0 flex-1 wrap-anywhere">
          <span className="font-semibold">{title}</span>{" "}
          {about.length > 0 && <span className="text-mute">{about.join(" · ")}</span>}
        </h2>
        <span className="mt-[3px]">
          <StateMark state={row.state} />
        </span>
        <IconButton label={t("detail.close")} className="-mt-1 -mr-1.5 size-7" onClick={onClose}>
          <X className="size-3.5" aria-hidden="true" />
        </IconButton>
      </header>
      <div className="mt-1.5 space-y-2">
        {story.sentences.length > 0 && (
          <p className="text-pretty wrap-anywhere">{story.sentences.join(" ")}</p>
        )}
        {code && (
          <p className="figure w-fit rounded-sm bg-sunk px-2 py-0.5 wrap-anywhere">
            {t("detail.place", { ...code })}
          </p>
        )}
        {story.problem && <ProblemNote problem={story.problem} />}
        {story.change && <JsonDiff {...story.change} />}
        {story.asked?.map(({ question, answer }) => (
          <p key={question} className="figure wrap-anywhere text-mute">
            {t("detail.askedYou", { question })} <span aria-hidden="true">→</span>{" "}
            <span className="text-ink">{answer ?? t("detail.noAnswer")}</span>
          </p>
        ))}
        {story.quote !== undefined && story.quote !== "" && (
          <pre
            tabIndex={0}
            className="figure max-h-60 overflow-auto rounded-md bg-sunk px-3 py-2 wrap-anywhere whitespace-pre-wrap"
          >
            {story.quote}
          </pre>
        )}
        {story.values?.map((value) => (
          <Value key={value.label} {...value} />
        ))}
        <DetailLinks agentId={place.agentId} row={row} logLine={story.logLine ?? null} nameOf={nameOf} />
        {call && place.turn && (
          <WhyCalled
            key={call.toolCallId}
            agentId={place.agentId}
            {...place.turn}
            toolCallId={call.toolCallId}
            title={call.title}
          />
        )}
        <EventsJson key={row.id} place={place} row={row} events={events} />
      </div>
    </section>
  );
}

/** The tool call that a row is about; undefined for any other row. */
function toolCallOf(
  { of }: TimelineRow,
  events: readonly RecordEvent[],
): RecordEventOf<"tool_called"> | undefined {
  if (of.kind !== "span" || of.span.kind !== "tool") return undefined;
  const { id } = of.span;
  return events.find((event) => event.type === "tool_called" && event.spanId === id) as
    | RecordEventOf<"tool_called">
    | undefined;
}
