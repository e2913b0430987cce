import { MachineWalls, type MachineWallsOptions } from "../../permissions/machine-walls.ts";

/** Which walls stand on this machine. */
export function openWalls(needs: MachineWallsOptions, stack: AsyncDisposableStack): MachineWalls {
  const walls = new MachineWalls(needs);
  stack.defer(() => walls.close());
  return walls;
}
