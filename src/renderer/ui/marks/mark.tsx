import type { ReactNode } from "react";
import { ownMarks } from "./own-marks.tsx";
import { patternOf } from "./pattern.ts";

/** The colours of a mark: a quiet ground, and a line that can be told from it in both themes. */
export function markColours(hue: number) {
  return {
    backgroundColor: `light-dark(oklch(0.945 0.035 ${hue}), oklch(0.29 0.045 ${hue}))`,
    borderColor: `light-dark(oklch(0.86 0.06 ${hue}), oklch(0.4 0.06 ${hue}))`,
    color: `light-dark(oklch(0.46 0.12 ${hue}), oklch(0.82 0.1 ${hue}))`,
  };
}

export interface DrawnMark {
  hue: number;
  drawing: ReactNode;
}

/** The drawing for a key: one made for it where the plugin is ours, else a pattern. */
export function markOf(key: string, ours: boolean): DrawnMark {
  const own = ours ? ownMarks.get(key) : undefined;
  if (own) return own;
  const { hue, cable } = patternOf(key);
  const joined = new Set(cable);
  return {
    hue,
    drawing: (
      <>
        {Array.from({ length: 9 }, (_, jack) => (
          <circle
            // The jacks never change their places.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={jack}
            cx={x(jack)}
            cy={y(jack)}
            r={joined.has(jack) ? 1.8 : 1}
            fill="currentColor"
            stroke="none"
            opacity={joined.has(jack) ? 1 : 0.35}
          />
        ))}
        <path d={`M${cable.map((jack) => `${x(jack)} ${y(jack)}`).join("L")}`} strokeWidth={2} />
      </>
    ),
  };
}

const x = (jack: number) => 5 + (jack % 3) * 7;
const y = (jack: number) => 5 + Math.floor(jack / 3) * 7;
