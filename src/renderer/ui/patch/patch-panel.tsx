import { type RefObject, useEffect, useState } from "react";
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
/** So many cables have a jack and a column of their own; those of all others run together in one. */
const mostLanes = 7;
const lanesFrom = gutter - 14;
const lanesTo = stripEnd + 7;

export interface PanelRow {
  key: string;
  /** Its place in the whole list, of which only a part may be drawn. */
  place: number;
  /** Centre of the row's jack, measured from the top of the list. */
  jackY: number;
}

interface PatchPanelProps {
  agentId: string;
  agentName: string;
  rows: PanelRow[];
  height: number;
  /** Where the rows are, each with its key as `data-key`: the cable of the one under the pointer or with the focus is lit. */
  list: RefObject<HTMLElement | null>;
}

/** The agent's strip of jacks and a cable to every row that is switched on. Decorative: the rows say the same in words. */
export function PatchPanel({ agentId, agentName, rows, height, list }: PatchPanelProps) {
  const plugged = useMirror(
    useShallow((state) =>
      rows.filter((row) => hasCable(healthOf(rowOf(state, agentId, row.key)))).map((row) => row.key),
    ),
  );
  const looked = useLookedAt(list);
  const before = rows[0]?.place ?? 0;
  const order = new Map(plugged.map((key, index) => [key, before + index]));
  const count = before + plugged.length;
  const many = count > mostLanes;
  const lit = many && looked !== null && order.has(looked) ? looked : null;
  const jacks = Math.min(mostLanes + 1, Math.max(leastJacks, count));
  const strip: StripShape = {
    top: 4.5,
    height: jacks * jackPitch + (many ? 30 : 18),
    jacks,
    first: 18,
    pitch: jackPitch,
  };

  return (
    <PatchFrame
      className="pointer-events-none absolute top-0 left-0"
      width={gutter}
      height={height}
      data={{ "data-agent": agentName }}
    >
      <Strip shape={strip} lit={(place) => place < count} litOpacity={0.75} />
      {many && (
        <text
          x={stripCentre}
          y={stripJackY(strip, jacks - 1) + 16}
          textAnchor="middle"
          fontSize="9.5"
          fontWeight="600"
          fill="var(--mute)"
        >
          +{count - mostLanes}
        </text>
      )}
      {rows.map((row) => {
        const index = order.get(row.key) ?? 0;
        return (
          <RowCable
            key={row.key}
            agentId={agentId}
            pluginKey={row.key}
            dimmed={lit !== null && lit !== row.key}
            fromX={stripCentre}
            fromY={stripJackY(strip, Math.min(index, mostLanes))}
            jackX={gutter}
            jackY={row.jackY}
            laneX={laneX(index, count)}
            upright={many}
          />
        );
      })}
    </PatchFrame>
  );
}

/** Later cables run further left, so that none crosses another; the last column is that of all others. */
function laneX(index: number, count: number): number {
  const last = Math.max(1, Math.min(count - 1, mostLanes));
  return lanesFrom - (Math.min(index, last) / last) * (lanesFrom - lanesTo);
}

/** The key of the row under the pointer, or of the one with the focus. */
function useLookedAt(list: RefObject<HTMLElement | null>): string | null {
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const look = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>("[data-key]") : null;
      setKey(row?.dataset.key ?? null);
    };
    const leave = () => setKey(null);
    const watched = { pointerover: look, focusin: look, pointerleave: leave, focusout: leave };
    for (const [name, listener] of Object.entries(watched)) element.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(watched)) element.removeEventListener(name, listener);
    };
  }, [list]);
  return key;
}
