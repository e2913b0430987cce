import type { RuntimeId } from "../../../contract/plugin.ts";
import type { Health } from "../../model/health.ts";
import { runtimeColour } from "./colours.ts";
import { PatchFrame } from "./frame.tsx";

/** Radius of a plugin's jack. */
export const jackRadius = 8;
/** Radius of an empty hole, as a share of its jack's. */
const holeShare = 0.425;

interface JackProps {
  /** Its centre. */
  x: number;
  y: number;
  radius?: number;
  /** What its hole shows; an empty one when it is left out. */
  health?: Health;
  /** Colour of what is plugged in. */
  colour?: string;
  /** Colour of the ring. */
  ring?: string;
}

/** A plugin's jack. The sign in its hole shows the state once more, for people who see no colours. */
export function Jack({ x, y, radius = jackRadius, health = "off", colour, ring }: JackProps) {
  return (
    <>
      <circle
        cx={x}
        cy={y}
        r={radius}
        fill="var(--surface)"
        stroke={ring ?? "var(--line-strong)"}
        strokeWidth="1.5"
      />
      <JackHole x={x} y={y} radius={radius} health={health} colour={colour ?? "var(--line)"} />
    </>
  );
}

type JackHoleProps = Required<Omit<JackProps, "ring">>;

function JackHole({ x, y, radius, health, colour }: JackHoleProps) {
  switch (health) {
    case "running":
      return <circle cx={x} cy={y} r="3.7" fill={colour} />;
    case "degraded":
      return <path d={`M${x} ${y - 4.4}l4.6 8h-9.2Z`} fill="var(--warn)" />;
    case "asleep":
    case "failed":
    case "quarantined":
    case "not_responding":
      return <circle cx={x} cy={y} r="3.2" fill="var(--surface)" stroke={colour} strokeWidth="1.8" />;
    default:
      return <circle cx={x} cy={y} r={radius * holeShare} fill="var(--line)" />;
  }
}

interface EntryJackProps {
  runtime: RuntimeId | null;
  installed: boolean;
  /** Where on the edge it sits. */
  className?: string;
}

/** A jack on the edge of a card: empty while the plugin is not installed, ringed in its runtime's colour when it is. */
export function EntryJack({ runtime, installed, className = "top-6" }: EntryJackProps) {
  const size = 2 * jackRadius + 2;
  const colour = runtimeColour(runtime ?? "native");
  return (
    <PatchFrame
      width={size}
      height={size}
      className={`absolute -left-[9px] ${className}`}
      data={{ "data-jack": installed ? "installed" : "empty" }}
    >
      {installed ? (
        <Jack x={size / 2} y={size / 2} health="running" colour={colour} ring={colour} />
      ) : (
        <Jack x={size / 2} y={size / 2} />
      )}
    </PatchFrame>
  );
}
