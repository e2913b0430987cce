import { withUnseen } from "./notes.ts";
import { backend } from "./other-systems/backend.ts";
import { forgetOther, otherReport } from "./other-systems/report.ts";
import { SandboxedProcess } from "./other-systems/sandboxed-process.ts";
import { bubblewrap, forgetBubblewrap } from "./probe.ts";
import { forgetWatch, watchProblem } from "./traces/watcher.ts";
import type { Wall, WallReport } from "./wall.ts";
import type { Walled, WalledOptions } from "./walled.ts";
import { WalledProcess } from "./walled-process.ts";

/** A process behind a wall that is not started yet. */
export function behindWall(wall: Wall, options: WalledOptions): Walled {
  switch (backend()) {
    case "bubblewrap":
      return new WalledProcess(wall, options);
    case "sandbox-runtime":
      return new SandboxedProcess(wall, options);
  }
}

/** Which walls stand on this machine. */
export function wallReport(): WallReport {
  switch (backend()) {
    case "bubblewrap": {
      const { report } = bubblewrap();
      return report.stands ? withUnseen(report, watchProblem()) : report;
    }
    case "sandbox-runtime":
      return otherReport();
  }
}

/** Whether a wall here can show a file or folder at another path than its own (`Wall.shown`). */
export function canShow(): boolean {
  return backend() === "bubblewrap" && bubblewrap().report.stands;
}

/** Looks again at the next question: the person may have installed what was missing. */
export function forgetWalls(): void {
  forgetBubblewrap();
  forgetWatch();
  forgetOther();
}
