import { useShallow } from "zustand/react/shallow";
import { healthOf } from "../../model/health.ts";
import { rowOf } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { hasCable, RowCable } from "./cable.tsx";

/** Width of the gutter left of the cards in which cables run. */
export const gutter = 84;
const stripWidth = 24;
const jackPitch = 9;
const leastJacks = 6;
const mostJacks = 14;
const lanesFrom = gutter - 14;
const lanesTo = stripWidth;

export interface PanelRow {
  key: string;
  /** Centre of the row's jack, measured from the top of the list. */
  jackY: number;
}

interface PatchPanelProps {
  agentId: string;
  agentName: string;
  rows: PanelRow[];
  height: number;
}

/** The agent's strip of jacks and a cable to every row that is switched on. Decorative: the rows say the same in words. */
export function PatchPanel({ agentId, agentName, rows, height }: PatchPanelProps) {
  const plugged = useMirror(
    useShallow((state) =>
      rows.filter((row) => hasCable(healthOf(rowOf(state, agentId, row.key)))).map((row) => row.key),
    ),
  );
  const order = new Map(plugged.map((key, index) => [key, index]));
  const jacks = Math.min(mostJacks, Math.max(leastJacks, plugged.length));
  const stripHeight = jacks * jackPitch + 18;

  return (
    <svg
      className="pointer-events-none absolute top-0 left-0 overflow-visible"
      width={gutter}
      height={height}
      aria-hidden="true"
      data-agent={agentName}
    >
      <rect
        x="0.5"
        y="4.5"
        width={stripWidth - 1}
        height={stripHeight}
        rx="9"
        fill="var(--surface)"
        stroke="var(--line-strong)"
      />
      {Array.from({ length: jacks }, (_, index) => (
        <circle
          key={jackY(index)}
          cx={stripWidth / 2}
          cy={jackY(index)}
          r="3"
          fill={index < plugged.length ? "var(--ink)" : "var(--line)"}
          opacity={index < plugged.length ? 0.75 : 1}
        />
      ))}
      {rows.map((row) => {
        const index = order.get(row.key) ?? 0;
        return (
          <RowCable
            key={row.key}
            agentId={agentId}
            pluginKey={row.key}
            fromX={stripWidth / 2}
            fromY={jackY(index % jacks)}
            jackX={gutter}
            jackY={row.jackY}
            laneX={laneX(index, plugged.length)}
          />
        );
      })}
    </svg>
  );
}

function jackY(index: number): number {
  return 18 + index * jackPitch;
}

/** Later cables run further left, so that none crosses another. */
function laneX(index: number, count: number): number {
  const lanes = Math.max(1, Math.min(count, 24) - 1);
  return lanesFrom - ((index % 24) / lanes) * (lanesFrom - lanesTo);
}
