import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RowOfVersions } from "../../../../contract/conversation/attached.ts";
import { cx } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/controls/button.tsx";

interface MessageToolsProps {
  /** What is read out before its buttons. */
  label: string;
  side: "left" | "right";
  /** The versions of what stands above; null: there is one alone. */
  versions: RowOfVersions | null;
  /** Which versions these are. */
  of: "message" | "answer";
  /** Shows another version; absent: it cannot be changed now. */
  onVersion: ((leaf: string) => void) | undefined;
  /** Buttons that are seen when the message is pointed at, or has the focus. */
  children: ReactNode;
}

/** What can be done with a message, below it. It keeps its place, so that nothing moves when it is seen. */
export function MessageTools({ label, side, versions, of, onVersion, children }: MessageToolsProps) {
  return (
    <fieldset
      aria-label={label}
      className={cx("-mb-2 flex h-7 items-center gap-0.5", side === "right" && "flex-row-reverse")}
    >
      {versions && <Versions versions={versions} of={of} onVersion={onVersion} />}
      <div className="flex items-center opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100">
        {children}
      </div>
    </fieldset>
  );
}

function Versions({
  versions: { at, leaves },
  of,
  onVersion,
}: Pick<MessageToolsProps, "of" | "onVersion"> & { versions: RowOfVersions }) {
  const { t } = useTranslation();
  const step = (by: -1 | 1) => {
    const leaf = leaves[at + by];
    const Icon = by === -1 ? ChevronLeft : ChevronRight;
    return (
      <IconButton
        label={t(by === -1 ? `versions.${of}.before` : `versions.${of}.after`)}
        className="size-6"
        disabled={leaf === undefined || onVersion === undefined}
        onClick={() => leaf !== undefined && onVersion?.(leaf)}
      >
        <Icon className="size-3.5" aria-hidden="true" />
      </IconButton>
    );
  };
  const place = { at: at + 1, count: leaves.length };
  return (
    <div className="flex items-center text-xs text-mute tabular-nums">
      {step(-1)}
      <span>
        <span aria-hidden="true">
          {place.at} / {place.count}
        </span>
        <span className="sr-only">{t(`versions.${of}.place`, place)}</span>
      </span>
      {step(1)}
    </div>
  );
}
