import type { Native } from "../values/functions.ts";
import type { Vm } from "../vm/vm.ts";
import type { Arguments } from "./arguments.ts";
import type { Node } from "./node.ts";

/** A call of a core function that is run without a call; null: this one is not. */
export function inlined(_vm: Vm, _callee: Native, _args: Arguments, _position: number): Node | null {
  return null;
}
