import { ArrowDownLeft, ArrowUpRight, Eye, EyeOff, Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChannelTraffic } from "../../../contract/channel.ts";
import { cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";
import { formatAgo, formatCount, formatMoment, useNow } from "../../base/i18n/time.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Block } from "../../ui/well.tsx";
import { TestMessage } from "./test-message.tsx";
import { useTraffic } from "./use-traffic.ts";

type Conversation = ChannelTraffic["conversations"][number];

/** What goes through a channel, by conversation. What was said is shown only when the person asks. */
export function TrafficBlock({
  agentId,
  pluginKey,
  runs,
}: {
  agentId: string;
  pluginKey: string;
  runs: boolean;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(false);
  const { traffic, problem } = useTraffic(agentId, pluginKey, text);
  const newest = traffic?.conversations.find((one) => !one.closed)?.conversation ?? "";
  return (
    <Block
      title={t("channel.traffic")}
      action={
        traffic !== null &&
        traffic.count > 0 && (
          <Button
            size="sm"
            look="quiet"
            className="-mr-2.5"
            icon={text ? <EyeOff className="size-3.5" /> : <Eye className="size-3.5" />}
            aria-pressed={text}
            onClick={() => setText(!text)}
          >
            {t(text ? "channel.hideText" : "channel.showText")}
          </Button>
        )
      }
    >
      <div className="space-y-3">
        {problem && <ProblemNote problem={problem} />}
        {traffic === null && !problem && <Spinner className="text-mute" />}
        {traffic?.count === 0 && <p className="text-sm text-mute">{t("channel.noTraffic")}</p>}
        {traffic !== null && traffic.count > 0 && <Conversations traffic={traffic} />}
        <div className="border-t border-line pt-3">
          <TestMessage agentId={agentId} pluginKey={pluginKey} to={newest} runs={runs} />
        </div>
      </div>
    </Block>
  );
}

function Conversations({ traffic }: { traffic: ChannelTraffic }) {
  const { t } = useTranslation();
  const now = useNow(5_000);
  const more = traffic.count - traffic.conversations.length;
  return (
    <>
      <table className="w-full table-fixed text-sm">
        <thead>
          <tr className="text-left text-xs text-mute [&>th]:pb-1.5 [&>th]:font-medium">
            <th scope="col">{t("channel.conversation")}</th>
            <th scope="col" className="w-20 text-right">
              {t("channel.in")}
            </th>
            <th scope="col" className="w-20 text-right">
              {t("channel.out")}
            </th>
            <th scope="col" className="w-32 text-right">
              {t("channel.last")}
            </th>
          </tr>
        </thead>
        <tbody>
          {traffic.conversations.map((one) => (
            <Rows key={one.sessionId} one={one} now={now} />
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-semibold [&>td]:py-1.5">
            <td>{t("channel.all", { count: traffic.count })}</td>
            <td className="figure text-right">{formatCount(traffic.received)}</td>
            <td className="figure text-right">{formatCount(traffic.sent)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      {more > 0 && <p className="text-xs text-mute">{t("channel.more", { count: more })}</p>}
    </>
  );
}

function Rows({ one, now }: { one: Conversation; now: number }) {
  const { t } = useTranslation();
  // Ids and words of whoever wrote: nothing of them may turn the row round.
  const conversation = cleanLine(one.conversation);
  const last = [one.lastInAt, one.lastOutAt]
    .filter((at) => at !== null)
    .sort()
    .at(-1);
  return (
    <>
      <tr className="border-t border-line [&>td]:py-1.5">
        <td className="truncate font-mono text-xs" title={conversation}>
          {one.group && (
            <Users className="mr-1.5 inline size-3.5 text-mute" aria-label={t("channel.group")} />
          )}
          {conversation}
          {one.closed && <span className="ml-2 font-sans text-mute">{t("channel.closed")}</span>}
        </td>
        <td className="figure text-right">{formatCount(one.received)}</td>
        <td className="figure text-right">{formatCount(one.sent)}</td>
        <td className="text-right text-xs text-mute" title={last && formatMoment(last)}>
          {last ? formatAgo(last, now) : "–"}
        </td>
      </tr>
      {one.lines !== undefined && one.lines.length > 0 && (
        <tr>
          <td colSpan={4} className="pb-2.5">
            <ul className="space-y-1 rounded-md bg-sunk px-3 py-2">
              {one.lines.map((line) => (
                <li key={`${line.at} ${line.direction} ${line.text}`} className="flex gap-2">
                  {line.direction === "in" ? (
                    <ArrowDownLeft
                      className="mt-0.5 size-3.5 shrink-0 text-mute"
                      aria-label={t("channel.in")}
                    />
                  ) : (
                    <ArrowUpRight
                      className="mt-0.5 size-3.5 shrink-0 text-accent"
                      aria-label={t("channel.out")}
                    />
                  )}
                  <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">
                    {line.userId && <span className="mr-2 text-xs text-mute">{cleanLine(line.userId)}</span>}
                    {cleanText(line.text)}
                  </span>
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}
