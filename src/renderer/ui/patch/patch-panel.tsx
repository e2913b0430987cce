import { useShallow } from "zustand/react/shallow";
import { healthOf } from "../../model/health.ts";
import { rowOf } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { hasCable } from "./cable.tsx";
import { PatchFrame } from "./frame.tsx";
import { RowCable } from "./row-cable.tsx";
import { Strip, type StripShape, stripCentre, stripEnd, stripJackY } from "./strip.tsx";

/** Width of the gutter left of the cards in which cables run. */
export const gutter = 84;
const jackPitch = 9;
const leastJacks = 6;
const mostJacks = 14;
const lanesFrom = gutter - 14;
const lanesTo = stripEnd;

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
  const strip: StripShape = { top: 4.5, height: jacks * jackPitch + 18, jacks, first: 18, pitch: jackPitch };

  return (
    <PatchFrame
      className="pointer-events-none absolute top-0 left-0"
      width={gutter}
      height={height}
      data={{ "data-agent": agentName }}
    >
      <Strip shape={strip} lit={(place) => place < plugged.length} litOpacity={0.75} />
      {rows.map((row) => {
        const index = order.get(row.key) ?? 0;
        return (
          <RowCable
            key={row.key}
            agentId={agentId}
            pluginKey={row.key}
            fromX={stripCentre}
            fromY={stripJackY(strip, index % jacks)}
            jackX={gutter}
            jackY={row.jackY}
            laneX={laneX(index, plugged.length)}
          />
        );
      })}
    </PatchFrame>
  );
}

/** Later cables run further left, so that none crosses another. */
function laneX(index: number, count: number): number {
  const lanes = Math.max(1, Math.min(count, 24) - 1);
  return lanesFrom - ((index % 24) / lanes) * (lanesFrom - lanesTo);
}
