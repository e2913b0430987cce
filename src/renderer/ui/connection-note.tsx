import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNow } from "../base/i18n/time.ts";
import { useMirror } from "../store/mirror.ts";
import { cx } from "./class-names.ts";

/**
 * While the core cannot be reached: what is shown below may be out of date. It stands across the top of the page, and at the top of each
 * dialog, which would cover that.
 */
export function ConnectionNote({ inDialog = false }: { inDialog?: boolean }) {
  const { t } = useTranslation();
  const connection = useMirror((state) => state.connection);
  if (connection === "lost" || connection === "silent")
    return (
      <Banner
        title={t(`connection.${connection}Title`)}
        text={t(`connection.${connection}Text`)}
        urgent={connection === "lost"}
        inDialog={inDialog}
      >
        <LostSince />
      </Banner>
    );
  if (connection === "refused")
    return (
      <Banner
        title={t("connection.successorTitle")}
        text={t("connection.successorText")}
        urgent
        inDialog={inDialog}
      />
    );
  return null;
}

interface BannerProps {
  title: string;
  text: string;
  /** Read out at once by a screen reader; otherwise it waits its turn, because it may be over in a moment. */
  urgent: boolean;
  inDialog: boolean;
  children?: ReactNode;
}

function Banner({ title, text, urgent, inDialog, children }: BannerProps) {
  return (
    <div
      role={urgent ? "alert" : "status"}
      data-banner={inDialog ? "connection-in-dialog" : "connection"}
      className={cx(
        "flex shrink-0 animate-appear items-center gap-3 border-b border-warn/40 bg-warn-wash py-2 text-sm",
        inDialog ? "pr-14 pl-6" : "page-x",
      )}
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
