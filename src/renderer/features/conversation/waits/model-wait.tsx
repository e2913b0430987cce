import { Hourglass, Square } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemLine } from "../../../base/i18n/problem-words.ts";
import { useNow } from "../../../base/i18n/time.ts";
import { Button } from "../../../ui/controls/button.tsx";
import type { WaitItem } from "./wait-item.ts";

/** That a provider wants to be left alone for a moment, for how long still, and a way to stop. */
export function ModelWait({ item, onStop }: { item: WaitItem; onStop: (() => void) | undefined }) {
  const { t } = useTranslation();
  const now = useNow(500);
  const seconds = item.until === null ? 0 : Math.max(0, Math.ceil((item.until - now) / 1_000));
  const { code, details } = item.problem;
  const provider = typeof details?.provider === "string" ? details.provider : "";
  const asks = code === "MODEL_BUSY" && typeof details?.retryAt === "string" && seconds > 0;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-warn/40 bg-warn-wash px-3.5 py-2.5 text-sm"
    >
      <Hourglass className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium">{problemLine(item.problem)}</p>
        {/* The seconds are seen; read out, they would never stop. */}
        <p className="tabular-nums text-mute" aria-live="off">
          {seconds === 0
            ? t("conversation.asksNow")
            : asks
              ? t("conversation.asksToWait", { provider, count: seconds })
              : t("conversation.asksAgain", { count: seconds })}
        </p>
      </div>
      {onStop && (
        <Button size="sm" icon={<Square className="size-3.5" aria-hidden="true" />} onClick={onStop}>
          {t("conversation.stopWaiting")}
        </Button>
      )}
    </div>
  );
}
