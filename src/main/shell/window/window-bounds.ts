import { readFileSync } from "node:fs";
import { z } from "zod";
import { writePrivateFile } from "../../store/index.ts";

const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(480),
  height: z.number().int().min(360),
  maximized: z.boolean(),
});
export type WindowBounds = z.infer<typeof boundsSchema>;

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The window's saved place is used only if at least this many pixels of it lie on a screen, in width and in height. */
const minimumVisible = 64;

/**
 * The last place of the window, from the file that keeps it. Undefined when the file is not valid, or when the window would not
 * be visible because its screen is gone.
 */
export function readWindowBounds(file: string, workAreas: Area[]): WindowBounds | undefined {
  try {
    const bounds = boundsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    return isVisible(bounds, workAreas) ? bounds : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Losing this file costs nobody anything, so a failure to write it is not reported. It is no state of the core, so it needs no
 * lease; and it is written before this returns, because the app may be about to end.
 */
export function writeWindowBounds(file: string, bounds: WindowBounds): void {
  try {
    writePrivateFile(file, `${JSON.stringify(bounds)}\n`);
  } catch {
    // The next start opens the window in the middle.
  }
}

function isVisible(bounds: WindowBounds, workAreas: Area[]): boolean {
  return workAreas.some((area) => {
    const across = overlap(bounds.x, bounds.width, area.x, area.width);
    const down = overlap(bounds.y, bounds.height, area.y, area.height);
    return across >= minimumVisible && down >= minimumVisible;
  });
}

function overlap(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);
}
