import { type Dictionary, prototypeChain, Struct, Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { optional, structAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

const ANY = Number.POSITIVE_INFINITY;

export function install(core: Registrar): void {
  core.cfun("struct", 0, ANY, "(struct & kvs)", "A struct of alternating keys and values.", (args) => {
    if (args.length % 2 === 1) panic("expected even number of arguments");
    return structFrom(args, 0);
  });
  core.cfun(
    "struct/with-proto",
    1,
    ANY,
    "(struct/with-proto proto & kvs)",
    "A struct of alternating keys and values with a prototype, which may be nil.",
    (args) => {
      const proto = optional(args, 0, structAt, null);
      if (args.length % 2 === 0) panic("expected odd number of arguments");
      const struct = structFrom(args, 1);
      struct.proto = proto;
      return struct;
    },
  );
  core.cfun(
    "struct/getproto",
    1,
    1,
    "(struct/getproto st)",
    "The prototype of a struct, or nil.",
    (args) => structAt(args, 0).proto,
  );
  core.cfun(
    "struct/proto-flatten",
    1,
    1,
    "(struct/proto-flatten st)",
    "A struct without prototype that holds what the struct and its prototypes hold.",
    (args) => {
      const flat = new Struct();
      for (const from of prototypeChain(structAt(args, 0))) putAll(flat, from, true);
      return flat;
    },
  );
  core.cfun(
    "struct/to-table",
    1,
    2,
    "(struct/to-table st &opt recursive)",
    "A table of a struct's own entries; with recursive its prototypes become the table's.",
    (args) => {
      const recursive = (args[1] ?? null) !== null && args[1] !== false;
      return toTable(structAt(args, 0), recursive);
    },
  );
  core.cfun(
    "struct/rawget",
    2,
    2,
    "(struct/rawget st key)",
    "The value under a key without a look at prototypes.",
    (args) => structAt(args, 0).rawGet(args[1] as Value),
  );
}

/** Puts the own entries of a dictionary; with `missing`, only under keys that are not there. */
export function putAll(into: Dictionary, from: Dictionary, missing = false): void {
  for (let slot = 0; slot < from.slots; slot++) {
    if (!from.liveAt(slot)) continue;
    const key = from.keyAt(slot);
    if (!missing || into.find(key) < 0) into.put(key, from.valueAt(slot));
  }
}

function structFrom(args: Value[], from: number): Struct {
  const struct = new Struct();
  for (let at = from; at < args.length; at += 2) struct.put(args[at] as Value, args[at + 1] as Value);
  return struct;
}

function toTable(struct: Struct, recursive: boolean): Table {
  const table = new Table();
  putAll(table, struct);
  if (recursive && struct.proto) table.proto = toTable(struct.proto, true);
  return table;
}
