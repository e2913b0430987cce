import type { RuntimeId } from "../../../contract/plugin.ts";
import type { Health } from "../../model/health.ts";
import { runtimeColour } from "./colours.ts";
import { Jack } from "./jack.tsx";

/** Where a cable runs, in the coordinates of the drawing. */
export interface CableRoute {
  fromX: number;
  fromY: number;
  /** Centre of the plugin's jack. */
  jackX: number;
  jackY: number;
  /** The column in which a long cable runs down. */
  laneX: number;
  /** It keeps to its column instead of swinging over to it: where many run side by side. */
  upright?: boolean;
}

/** Whether a cable leaves the agent's strip at all. */
export function hasCable(health: Health): boolean {
  return health !== "off" && health !== "gone";
}

interface CableProps extends CableRoute {
  health: Health;
  runtime: RuntimeId;
  /** Changes with each call that went through; a signal then runs along the cable. */
  pulse?: number | null;
}

/** The patch cable. Its shape says the state; the colour says the runtime. */
export function Cable({ health, runtime, pulse = null, ...route }: CableProps) {
  const cold = health === "not_responding" || health === "quarantined";
  const colour = cold ? "var(--off)" : runtimeColour(runtime);
  return (
    <g data-cable={health} fill="none" strokeLinecap="round">
      {hasCable(health) && <Wire route={route} health={health} colour={colour} pulse={pulse} />}
      <Jack x={route.jackX} y={route.jackY} health={health} colour={colour} />
    </g>
  );
}

interface PartProps {
  route: CableRoute;
  health: Health;
  colour: string;
}

function Wire({ route, health, colour, pulse }: PartProps & { pulse: number | null }) {
  switch (health) {
    case "failed":
    case "quarantined":
      return <BrokenWire route={route} colour={colour} />;
    case "needs_setup":
    case "locked":
      return <HangingWire route={route} colour={colour} />;
    case "starting":
    case "stopping": {
      const path = wirePath(route, route.jackX - 16, route.jackY);
      const motion = health === "starting" ? "cable-drawing" : "cable-retracting";
      return (
        <>
          <path d={path} stroke={colour} strokeWidth="3.5" strokeOpacity="0.18" />
          <path d={path} stroke={colour} strokeWidth="3.5" pathLength="1" className={motion} />
        </>
      );
    }
    default: {
      const path = wirePath(route, route.jackX - 16, route.jackY);
      const lit = health === "running" || health === "degraded";
      return (
        <>
          {lit && <path d={path} stroke={colour} strokeWidth="9" strokeOpacity="0.13" />}
          <path d={path} stroke={colour} strokeWidth="3.5" strokeOpacity={health === "asleep" ? 0.62 : 1} />
          {pulse !== null && (
            <path
              key={pulse}
              d={path}
              stroke="var(--ink)"
              strokeWidth="3.5"
              pathLength="1"
              className="cable-pulse"
            />
          )}
          <Plug x={route.jackX - 18} y={route.jackY} colour={colour} />
        </>
      );
    }
  }
}

/** Radius of the bends of a cable that keeps to its column. */
const corner = 7;

/** The path of a cable: sideways out of the strip, down its lane, sideways into the jack. */
function wirePath(route: CableRoute, toX: number, toY: number): string {
  const { fromX, fromY, laneX } = route;
  if (route.upright && toY - fromY > 2 * corner)
    return `M${fromX} ${fromY}H${laneX - corner}Q${laneX} ${fromY} ${laneX} ${fromY + corner}V${toY - corner}Q${laneX} ${toY} ${laneX + corner} ${toY}H${toX}`;
  return `M${fromX} ${fromY}C${laneX} ${fromY} ${laneX} ${toY} ${toX} ${toY}`;
}

/**
 * How far above its end a cable bends down. Limited for a short fall, so that the cable does not rise above its
 * beginning.
 */
function slack(wanted: number, fromY: number, toY: number): number {
  return Math.max(0, Math.min(wanted, (toY - fromY) / 2));
}

function Plug({ x, y, colour }: { x: number; y: number; colour: string }) {
  return <rect x={x} y={y - 5} width="12" height="10" rx="2.5" fill={colour} />;
}

function BrokenWire({ route, colour }: { route: CableRoute; colour: string }) {
  const { jackX, jackY } = route;
  const x = jackX - 42;
  const y = jackY - 13;
  return (
    <>
      <path
        d={
          route.upright
            ? wirePath(route, x, y)
            : `M${route.fromX} ${route.fromY}C${route.laneX} ${route.fromY} ${route.laneX - 4} ${y - slack(44, route.fromY, y)} ${x} ${y}`
        }
        stroke={colour}
        strokeWidth="3.5"
      />
      <path
        d={`M${x + 10} ${jackY - 4}C${x + 14} ${jackY} ${jackX - 24} ${jackY} ${jackX - 16} ${jackY}`}
        stroke={colour}
        strokeWidth="3.5"
      />
      <path
        d={`M${x + 1} ${y + 4}l-5 3M${x + 5} ${y + 6}l0 -7M${x + 8} ${y + 4}l5 -4M${x + 8} ${y + 8}l7 1`}
        stroke="var(--bad)"
        strokeWidth="1.7"
      />
      <Plug x={jackX - 18} y={jackY} colour={colour} />
    </>
  );
}

function HangingWire({ route, colour }: { route: CableRoute; colour: string }) {
  const { jackX, jackY } = route;
  const x = jackX - 42;
  const y = jackY + 3;
  return (
    <>
      <path
        d={
          route.upright
            ? wirePath(route, x, y)
            : `M${route.fromX} ${route.fromY}C${route.laneX} ${route.fromY} ${route.laneX - 6} ${y - slack(30, route.fromY, y)} ${x} ${y}`
        }
        stroke={colour}
        strokeWidth="3.5"
      />
      <g transform={`translate(${x} ${y}) rotate(54)`}>
        <rect x="-1" y="-5" width="13" height="10" rx="2.5" fill={colour} />
        <path d="M12 0h4" stroke="var(--faint)" strokeWidth="2.6" />
      </g>
    </>
  );
}
