import { useTranslation } from "react-i18next";
import { type Health, type Tone, tones } from "../model/health.ts";
import { cx } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

const colours: Record<Tone, string> = {
  ok: "text-ok",
  warn: "text-warn",
  bad: "text-bad",
  off: "text-mute",
  busy: "text-mute",
};

/** The state in words, with a shape and a colour of its own. */
export function StateMark({ health, className }: { health: Health; className?: string }) {
  const { t } = useTranslation();
  return (
    <span
      data-state={health}
      className={cx(
        "inline-flex items-center gap-2 text-sm font-semibold whitespace-nowrap",
        colours[tones[health]],
        className,
      )}
    >
      <StateShape health={health} />
      {t(`state.${health}`)}
    </span>
  );
}

export function StateShape({ health }: { health: Health }) {
  if (tones[health] === "busy") return <Spinner className="size-3.5" />;
  return (
    <svg viewBox="0 0 14 14" className="size-3.5 shrink-0" aria-hidden="true">
      <Shape health={health} />
    </svg>
  );
}

function Shape({ health }: { health: Health }) {
  switch (health) {
    case "running":
      return <circle cx="7" cy="7" r="5" fill="currentColor" />;
    case "asleep":
      return (
        <>
          <circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" strokeWidth="1.8" />
          <circle cx="7" cy="7" r="2" fill="currentColor" />
        </>
      );
    case "needs_setup":
      return (
        <path
          d="M7 2 12.6 12H1.4Z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinejoin="round"
        />
      );
    case "locked":
      return (
        <path
          fillRule="evenodd"
          d="M3.6 6V4.4a3.4 3.4 0 0 1 6.8 0V6h.4a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3.2a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1Zm1.7 0h3.4V4.4a1.7 1.7 0 0 0-3.4 0Z"
          fill="currentColor"
        />
      );
    case "degraded":
    case "not_responding":
      return (
        <path
          fillRule="evenodd"
          d="M6.1 1.7a1 1 0 0 1 1.8 0l5.2 9.6a1 1 0 0 1-.9 1.5H1.8a1 1 0 0 1-.9-1.5ZM6.2 5v4h1.6V5Zm0 5v1.5h1.6V10Z"
          fill="currentColor"
        />
      );
    case "failed":
      return (
        <path
          fillRule="evenodd"
          d="M3 1.5h8A1.5 1.5 0 0 1 12.5 3v8a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 11V3A1.5 1.5 0 0 1 3 1.5ZM5.2 4.2l-1 1L6 7 4.2 8.8l1 1L7 8l1.8 1.8 1-1L8 7l1.8-1.8-1-1L7 6Z"
          fill="currentColor"
        />
      );
    case "quarantined":
      return (
        <path
          fillRule="evenodd"
          d="M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5ZM4 6.1v1.8h6V6.1Z"
          fill="currentColor"
        />
      );
    default:
      return <circle cx="7" cy="7" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.7" />;
  }
}
