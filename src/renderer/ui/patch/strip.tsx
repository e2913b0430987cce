const width = 23;
const jackRadius = 3;

/** The middle of a strip's jacks; cables leave it there. */
export const stripCentre = 12;
/** Where the strip ends and cables have room. */
export const stripEnd = width + 1;

/** A strip's shape; lengths in the units of the drawing, from its top. */
export interface StripShape {
  top: number;
  height: number;
  jacks: number;
  /** Centre of the first jack. */
  first: number;
  /** From one jack's centre to the next. */
  pitch: number;
}

interface StripProps {
  shape: StripShape;
  /** Whether a cable is plugged in at a place. */
  lit(place: number): boolean;
  /** How strongly plugged jacks are drawn: many side by side are quieter than a single one. */
  litOpacity?: number;
}

/** The agent's strip of jacks, from which its cables leave. */
export function Strip({ shape, lit, litOpacity = 1 }: StripProps) {
  return (
    <>
      <rect
        x="0.5"
        y={shape.top}
        width={width}
        height={shape.height}
        rx="9"
        fill="var(--surface)"
        stroke="var(--line-strong)"
      />
      {Array.from({ length: shape.jacks }, (_, place) => (
        <circle
          key={stripJackY(shape, place)}
          cx={stripCentre}
          cy={stripJackY(shape, place)}
          r={jackRadius}
          fill={lit(place) ? "var(--ink)" : "var(--line)"}
          opacity={lit(place) ? litOpacity : 1}
        />
      ))}
    </>
  );
}

/** Centre of the jack at a place. */
export function stripJackY(shape: StripShape, place: number): number {
  return shape.first + place * shape.pitch;
}
