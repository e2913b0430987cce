import { useTranslation } from "react-i18next";
import type { FoundStatus } from "../../../../contract/found/found.ts";
import { cx } from "../../../ui/class-names.ts";

const colours: Record<FoundStatus, string> = {
  enabled: "text-ok",
  disabled: "text-mute",
  available: "text-mute",
  error: "text-bad",
  unsupported: "text-warn",
  overridden: "text-mute",
};

/** How a plugin stands in its own program, in words and with a shape of its own. */
export function FoundMark({ status }: { status: FoundStatus }) {
  const { t } = useTranslation();
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.5 text-xs font-semibold whitespace-nowrap",
        colours[status],
      )}
    >
      <svg
        viewBox="0 0 14 14"
        className="size-3 shrink-0"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinejoin="round"
        strokeLinecap="round"
      >
        <Shape status={status} />
      </svg>
      {t(`here.status.${status}`)}
    </span>
  );
}

function Shape({ status }: { status: FoundStatus }) {
  switch (status) {
    case "enabled":
      return <circle cx="7" cy="7" r="5" fill="currentColor" stroke="none" />;
    case "disabled":
      return <circle cx="7" cy="7" r="4.6" />;
    case "available":
      return <path d="M7 1.6 12.4 7 7 12.4 1.6 7Z" />;
    case "error":
      return <path d="M3 3l8 8M11 3l-8 8" />;
    case "unsupported":
      return <path d="M7 2 12.6 12H1.4Z" />;
    case "overridden":
      return <path d="M2 9.5h7a3 3 0 0 0 0-6H4M6 1.5l-2 2 2 2" />;
  }
}
