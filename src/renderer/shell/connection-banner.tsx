import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNow } from "../base/i18n/time.ts";
import { useMirror } from "../store/mirror.ts";

/** Across the top while the core cannot be reached: what is shown below may be out of date. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const connection = useMirror((state) => state.connection);
  if (connection === "lost" || connection === "silent")
    return (
      <Banner
        title={t(`connection.${connection}Title`)}
        text={t(`connection.${connection}Text`)}
        urgent={connection === "lost"}
      >
        <LostSince />
      </Banner>
    );
  if (connection === "refused")
    return <Banner title={t("connection.successorTitle")} text={t("connection.successorText")} urgent />;
  return null;
}

interface BannerProps {
  title: string;
  text: string;
  /** Read out at once by a screen reader; otherwise it waits its turn, because it may be over in a moment. */
  urgent: boolean;
  children?: ReactNode;
}

function Banner({ title, text, urgent, children }: BannerProps) {
  return (
    <div
      role={urgent ? "alert" : "status"}
      data-banner="connection"
      className="flex animate-appear items-center gap-3 border-b border-warn/40 bg-warn-wash page-x py-2 text-sm"
    >
      <Unplug className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1">
        <strong className="font-semibold">{title}</strong> <span className="text-mute">{text}</span>
      </p>
      {children}
    </div>
  );
}

function LostSince() {
  const { t } = useTranslation();
  const lostAt = useMirror((state) => state.lostAt);
  const now = useNow(1_000);
  const seconds = lostAt === null ? 0 : Math.max(0, Math.round((now - lostAt) / 1_000));
  return (
    <span className="figure text-mute" aria-hidden="true">
      {t("connection.since", { seconds })}
    </span>
  );
}

/** Instead of everything, when there is nothing to show and no way to get it. */
export function ConnectionScreen() {
  const { t } = useTranslation();
  const connection = useMirror((state) => state.connection);
  if (connection === "refused")
    return <Centre title={t("connection.refusedTitle")} text={t("connection.refusedText")} />;
  return <Centre title={t("connection.openingTitle")} text={t("connection.openingText")} />;
}

function Centre({ title, text }: { title: string; text: string }) {
  return (
    <main className="grid h-full place-content-center justify-items-center gap-2 px-8 text-center">
      <Unplug className="mb-2 size-8 text-hint" aria-hidden="true" />
      <h1 className="title">{title}</h1>
      <p className="max-w-[52ch] text-mute">{text}</p>
    </main>
  );
}
