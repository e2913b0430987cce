import { PatchbayError } from "../../../contract/index.ts";
import type { Platform } from "../platform.ts";
import type { WallReport } from "./wall.ts";

/**
 * The machine, on which no process that should be walled starts without a wall, unless the person accepted that. Every
 * start goes through here, so that no plugin system can forget it.
 */
export function behindWalls(platform: Platform, accepted: () => boolean): Platform {
  const refuse = ({ wall }: { wall?: unknown }) => {
    const report = platform.walls();
    if (wall !== undefined && !report.stands && !accepted()) throw wallsMissing(report);
  };
  return {
    ...platform,
    forkHost(options) {
      refuse(options);
      return platform.forkHost(options);
    },
    spawnHost(options) {
      refuse(options);
      return platform.spawnHost(options);
    },
  };
}

export function wallsMissing({ problem, help, command, notes }: WallReport): PatchbayError {
  const why = problem ?? "No walls stand on this machine.";
  return new PatchbayError(
    "WALLS_MISSING",
    `Plugins do not start: nothing here would hold them to what they were granted. ${why}`,
    {
      ...(help !== null && { help }),
      details: {
        why,
        notes: [notes.problem, notes.help].filter((note) => note !== null),
        ...(command !== null && { command }),
      },
    },
  );
}
