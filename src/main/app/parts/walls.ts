import { PatchbayError, type Problem, toProblem } from "../../../contract/index.ts";
import { MachineWalls, type MachineWallsOptions } from "../../permissions/machine-walls.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AuditLog } from "../../store/index.ts";

interface Needs extends MachineWallsOptions {
  platform: Platform;
  audit: AuditLog;
  onNotice(problem: Problem): void;
}

/** Which walls stand on this machine, and what was tried on Patchbay itself. */
export function openWalls(needs: Needs, stack: AsyncDisposableStack): MachineWalls {
  const walls = new MachineWalls(needs);
  stack.defer(() => walls.close());
  followMeddling(needs, stack);
  return walls;
}

/** Each time in the audit log; the person is told of the first signal only. */
function followMeddling({ platform, audit, onNotice }: Needs, stack: AsyncDisposableStack): void {
  let wasSignalled = false;
  const end = platform.meddling?.((what) => {
    switch (what.kind) {
      case "signal":
        audit.record({ kind: "core.signalled", signal: what.signal });
        if (!wasSignalled) onNotice(problem("CORE_SIGNALLED"));
        wasSignalled = true;
        return;
      case "environment":
        audit.record({ kind: "core.environment_left_out", names: what.names });
        onNotice(problem("ENVIRONMENT_LEFT_OUT", `Patchbay was started without ${what.names.join(", ")}.`));
        return;
    }
  });
  if (end) stack.defer(end);
}

function problem(code: "CORE_SIGNALLED" | "ENVIRONMENT_LEFT_OUT", message?: string): Problem {
  const sentence =
    message ?? "A program on this computer sent Patchbay the signal that opens a debugger. It was ignored.";
  return toProblem(new PatchbayError(code, sentence));
}
