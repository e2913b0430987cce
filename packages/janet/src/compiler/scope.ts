import type { Sym } from "../values/names.ts";
import type { JArray } from "../values/sequences.ts";
import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { FIRST_SLOT } from "../vm/code.ts";

/** What a local name stands for: a slot of the frame, itself or as a cell, or the cell of a var of the environment. */
export type Local =
  | { readonly kind: "slot"; readonly slot: number; readonly mutable: boolean }
  | { readonly kind: "global"; readonly cell: JArray };

/** The cell of a local var. */
export interface Cell {
  v: Value;
}

/** Where a name was found: in the frame, or among what the closure captured. */
export type Found =
  | { readonly kind: "slot" | "captured"; readonly at: number; readonly mutable: boolean }
  | { readonly kind: "global"; readonly cell: JArray };

/** A loop or function that a `break` leaves. */
export interface Breakable {
  /** A `break` from inside an expression throws. */
  thrown: boolean;
}

/** The names of one function that is being compiled, with those of the blocks around the present form. */
export class FunctionScope {
  readonly outer: FunctionScope | null;
  /** Of the thunk of a whole form. */
  readonly isThunk: boolean;
  /** The names of each open block; null: none so far. */
  private readonly blocks: (Map<Sym, Local> | null)[] = [null];
  readonly breakables: Breakable[] = [{ thrown: false }];
  size = FIRST_SLOT;
  /** What the closure takes from the function around it when it is made, by name and what was found. */
  readonly captures: { name: Sym; found: Found & { kind: "slot" | "captured" } }[] = [];
  /** Its global names that are not the core's, with what is in it. */
  readonly bindings = new Map<Sym, Table>();
  /** The C functions that it uses. */
  readonly cfunctions = new Set<Value>();

  constructor(outer: FunctionScope | null) {
    this.outer = outer;
    this.isThunk = outer === null;
  }

  /** A definition here belongs to the environment. */
  get isTop(): boolean {
    return this.isThunk && this.blocks.length === 1;
  }

  newSlot(): number {
    return this.size++;
  }

  /** A new name in the innermost block. */
  define(name: Sym, mutable: boolean): number {
    const slot = this.newSlot();
    this.bind(name, { kind: "slot", slot, mutable });
    return slot;
  }

  bind(name: Sym, local: Local): void {
    const last = this.blocks.length - 1;
    const block = this.blocks[last] ?? new Map<Sym, Local>();
    this.blocks[last] = block;
    block.set(name, local);
  }

  openBlock(): void {
    this.blocks.push(null);
  }

  closeBlock(): void {
    this.blocks.pop();
  }

  /** Remembers what a global name means for all functions around the present form. */
  usesBinding(name: Sym, entry: Table): void {
    for (let scope: FunctionScope | null = this; scope?.outer; scope = scope.outer)
      scope.bindings.set(name, entry);
  }

  usesCFunction(value: Value): void {
    for (let scope: FunctionScope | null = this; scope?.outer; scope = scope.outer)
      scope.cfunctions.add(value);
  }

  find(name: Sym): Found | null {
    for (let at = this.blocks.length - 1; at >= 0; at--) {
      const local = this.blocks[at]?.get(name);
      if (local?.kind === "slot") return { kind: "slot", at: local.slot, mutable: local.mutable };
      if (local) return local;
    }
    const outside = this.outer?.find(name);
    if (!outside || outside.kind === "global") return outside ?? null;
    let at = this.captures.findIndex(({ found }) => found.kind === outside.kind && found.at === outside.at);
    if (at < 0) at = this.captures.push({ name, found: outside }) - 1;
    return { kind: "captured", at, mutable: outside.mutable };
  }
}
