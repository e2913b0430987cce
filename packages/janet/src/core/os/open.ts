import type { Vm } from "../../vm/vm.ts";

const open = new WeakMap<Vm, Set<() => void>>();

/** Remembers how to close what an engine has opened. @returns what forgets it again */
export function keepOpen(vm: Vm, close: () => void): () => void {
  let closers = open.get(vm);
  if (!closers) {
    closers = new Set();
    open.set(vm, closers);
  }
  const all = closers.add(close);
  return () => all.delete(close);
}

/** Closes the files, streams and programs that an engine has left open. */
export function closeAll(vm: Vm): void {
  for (const close of [...(open.get(vm) ?? [])]) {
    try {
      close();
    } catch {
      // What is closed already, or will not be, is no reason to leave the others open.
    }
  }
  open.delete(vm);
}
