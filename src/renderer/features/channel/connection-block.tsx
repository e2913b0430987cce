import { useTranslation } from "react-i18next";
import { formatAgo, formatCount, formatMoment, useNow } from "../../base/i18n/time.ts";
import { type Connection, queueText, statusText } from "../../model/connection.ts";
import { Block, Facts } from "../../ui/well.tsx";

/** How a channel stands with its platform: who it is there, since when, and what waits. */
export function ConnectionBlock({ connection }: { connection: Connection }) {
  const { t } = useTranslation();
  const now = useNow(5_000);
  const { account, status, connectedSince, lastIn, lastOut, reconnects, queue } = connection;
  const moment = (at: string | null) => ({
    value: at === null || Number.isNaN(Date.parse(at)) ? "–" : formatAgo(at, now),
    ...(at !== null && !Number.isNaN(Date.parse(at)) && { title: formatMoment(at) }),
  });
  return (
    <Block title={t("channel.connection")}>
      <Facts
        facts={[
          { label: t("channel.account"), value: account ?? "–" },
          ...(status === null ? [] : [{ label: t("channel.status"), value: statusText(status) }]),
          { label: t("channel.connectedSince"), ...moment(connectedSince) },
          { label: t("channel.lastIn"), ...moment(lastIn) },
          { label: t("channel.lastOut"), ...moment(lastOut) },
          { label: t("channel.reconnects"), value: reconnects === null ? "–" : formatCount(reconnects) },
          { label: t("channel.queue"), value: queue === null ? "–" : queueText(queue) },
        ]}
      />
    </Block>
  );
}
