import type { RuntimeId } from "../../../contract/plugin.ts";
import type { Health } from "../../model/health.ts";
import { Cable, type CableRoute, hasCable } from "./cable.tsx";
import { PatchFrame } from "./frame.tsx";
import { Strip, type StripShape, stripCentre, stripJackY } from "./strip.tsx";

interface Layout {
  width: number;
  height: number;
  /**
   * The agent's strip, and the place in it that the cable leaves from. Null where the cable comes from outside of the
   * drawing.
   */
  strip: { shape: StripShape; place: number } | null;
  /** The route of the cable. Its beginning is given only where there is no strip. */
  cable: Pick<CableRoute, "jackX" | "jackY" | "laneX"> & Partial<Pick<CableRoute, "fromX" | "fromY">>;
  clipped?: boolean;
}

/** The strip of a drawing that stands in a line of text. */
const small = { shape: { top: 4.5, height: 55, jacks: 4, first: 17, pitch: 10 }, place: 1 };

/** Where a single cable is shown, and how much room it has there. */
const layouts = {
  /** Beside a plugin's name at the top of its page. */
  header: {
    width: 118,
    height: 64,
    strip: small,
    cable: { jackX: 108, jackY: 32, laneX: 58 },
  },
  /** In a setup: while it starts, when it is done, and on the tab that offers it again. */
  setup: {
    width: 190,
    height: 64,
    strip: small,
    cable: { jackX: 176, jackY: 34, laneX: 86 },
  },
  /** The last step of the welcome: from the agent's face to the plugin's. */
  welcome: {
    width: 200,
    height: 72,
    strip: { shape: { top: 6.5, height: 59, jacks: 4, first: 18, pitch: 12 }, place: 1 },
    cable: { jackX: 188, jackY: 36, laneX: 92 },
  },
  /** Above the words of a home without plugins. */
  empty: {
    width: 168,
    height: 76,
    strip: { shape: { top: 2.5, height: 70, jacks: 5, first: 16, pitch: 11 }, place: 2 },
    cable: { jackX: 156, jackY: 38, laneX: 72 },
  },
  /** At the end of an install: a plugin that waits to be plugged in. */
  installed: {
    width: 130,
    height: 60,
    strip: null,
    cable: { fromX: 2, fromY: 6, jackX: 122, jackY: 30, laneX: 40 },
  },
  /** A cell of the matrix: the cable comes down from the agent's name. */
  cell: {
    width: 64,
    height: 51,
    strip: null,
    cable: { fromX: 8, fromY: -6, jackX: 52, jackY: 26, laneX: 8 },
    clipped: true,
  },
} as const satisfies Record<string, Layout>;

interface PatchDrawingProps {
  layout: keyof typeof layouts;
  health: Health;
  runtime: RuntimeId;
  className?: string;
}

/** One plugin's cable as it is now, from the agent's strip to the plugin's jack. */
export function PatchDrawing({ layout, health, runtime, className }: PatchDrawingProps) {
  const { width, height, strip, cable, clipped }: Layout = layouts[layout];
  return (
    <PatchFrame width={width} height={height} clipped={clipped} className={className}>
      {strip && <Strip shape={strip.shape} lit={(place) => place === strip.place && hasCable(health)} />}
      <Cable
        fromX={stripCentre}
        fromY={strip ? stripJackY(strip.shape, strip.place) : 0}
        {...cable}
        health={health}
        runtime={runtime}
      />
    </PatchFrame>
  );
}
