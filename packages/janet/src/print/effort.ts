import { panic } from "../vm/janet-error.ts";

/** Counts the values that were printed; throws when they are too many. */
export type Effort = (values: number) => void;

/** What shares its parts can print as more than any memory holds. */
const MOST = 2_000_000;

/** An effort of its own bound, which also counts as work of a machine, when there is one. */
export function newEffort(vm?: { spend(steps: number): void }): Effort {
  let printed = 0;
  return (values) => {
    printed += values;
    if (printed > MOST) panic("value is too large to print");
    vm?.spend(values);
  };
}
