import type { RuntimeId } from "../../../contract/plugin.ts";
import { cableColour } from "./cable.tsx";

interface EntryJackProps {
  runtime: RuntimeId | null;
  installed: boolean;
  /** Where on the edge it sits. */
  className?: string;
}

/** A jack on the edge of a card: empty while the plugin is not installed, ringed in its runtime's colour when it is. */
export function EntryJack({ runtime, installed, className = "top-6" }: EntryJackProps) {
  const colour = installed ? cableColour(runtime ?? "native") : "var(--line-strong)";
  return (
    <svg
      viewBox="0 0 18 18"
      className={`absolute -left-[9px] size-[18px] ${className}`}
      aria-hidden="true"
      data-jack={installed ? "installed" : "empty"}
    >
      <circle cx="9" cy="9" r="8" fill="var(--surface)" stroke={colour} strokeWidth="1.5" />
      <circle cx="9" cy="9" r="3.4" fill={installed ? colour : "var(--line)"} />
    </svg>
  );
}
