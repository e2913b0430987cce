import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";

/** Arrays and tuples are not made longer than this by one call, so that a loop that doubles one cannot take all memory. */
const MOST_ITEMS = 1 << 25;
/** The same for the bytes of a string or buffer. */
const MOST_BYTES = 1 << 28;

/** To be called before a sequence of so many items is made, `fresh` of which are written: counts the work. */
export function makeItems(vm: Vm, count: number, fresh = count): void {
  if (count > MOST_ITEMS) panic("out of memory");
  vm.spend(fresh >> 3);
}

/** To be called before a string or buffer of so many bytes is made. */
export function makeBytes(vm: Vm, count: number): void {
  if (count > MOST_BYTES) panic("result string is too long");
  vm.spend(count >> 6);
}
