import { backend } from "./other-systems/backend.ts";
import { SandboxedProcess } from "./other-systems/sandboxed-process.ts";
import type { Wall } from "./wall.ts";
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
