import { Abstract, type AbstractType } from "../../values/abstract.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { badSlot } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

/**
 * Locks. Janet's keep threads apart, not tasks of one thread; there is one thread here, so nobody ever waits, as when a Janet
 * thread takes a lock that it holds already.
 */
export function install(core: Registrar): void {
  core.cfun(
    "ev/lock",
    0,
    0,
    "(ev/lock)",
    "A lock between threads.",
    () => new Abstract(lockType, { held: 0 }),
  );
  core.cfun("ev/rwlock", 0, 0, "(ev/rwlock)", "A lock for many readers or one writer.", () => {
    return new Abstract(rwlockType, { held: 0 });
  });
  pair(core, lockType, "lock", "lock");
  pair(core, rwlockType, "rlock", "rwlock for reading");
  pair(core, rwlockType, "wlock", "rwlock for writing");
}

interface Lock {
  /** How often it was taken and not released. */
  held: number;
}

const lockType: AbstractType<Lock> = { name: "core/lock" };
const rwlockType: AbstractType<Lock> = { name: "core/rwlock" };

function pair(core: Registrar, type: AbstractType<Lock>, name: string, what: string): void {
  const lockAt = (args: readonly Value[]): Lock => {
    const value = args[0] ?? null;
    return value instanceof Abstract && value.type === type
      ? (value.data as Lock)
      : badSlot(args, 0, type.name);
  };
  core.cfun(
    `ev/acquire-${name}`,
    1,
    1,
    `(ev/acquire-${name} lock)`,
    `Takes a ${what}; gives it back.`,
    (args) => {
      lockAt(args).held++;
      return args[0] as Value;
    },
  );
  core.cfun(
    `ev/release-${name}`,
    1,
    1,
    `(ev/release-${name} lock)`,
    `Releases a ${what}; gives it back.`,
    (args) => {
      const lock = lockAt(args);
      if (lock.held === 0) panic("cannot release lock");
      lock.held--;
      return args[0] as Value;
    },
  );
}
