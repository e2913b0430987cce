import { prototypeChain, Struct, Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { naturalAt, optional, structAt, tableAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { putAll } from "./structs.ts";

const ANY = Number.POSITIVE_INFINITY;

export function install(core: Registrar): void {
  core.cfun("table", 0, ANY, "(table & kvs)", "A new table of alternating keys and values.", (args) => {
    if (args.length % 2 === 1) panic("expected even number of arguments");
    const table = new Table();
    for (let at = 0; at < args.length; at += 2) {
      const key = args[at] as Value;
      if (key !== null && !Number.isNaN(key)) table.put(key, args[at + 1] as Value);
    }
    return table;
  });
  const makers = [
    ["table/new", "An empty table with room for capacity entries."],
    ["table/weak", "As `table/new`; its keys and values may be collected."],
    ["table/weak-keys", "As `table/new`; its keys may be collected."],
    ["table/weak-values", "As `table/new`; its values may be collected."],
  ] as const;
  for (const [name, doc] of makers)
    core.cfun(name, 1, 1, `(${name} capacity)`, doc, (args) => {
      naturalAt(args, 0);
      return new Table();
    });
  core.cfun(
    "table/getproto",
    1,
    1,
    "(table/getproto tab)",
    "The prototype of a table, or nil.",
    (args) => tableAt(args, 0).proto,
  );
  core.cfun(
    "table/setproto",
    2,
    2,
    "(table/setproto tab proto)",
    "Sets the prototype of a table, nil for none; gives the table.",
    (args) => {
      const table = tableAt(args, 0);
      table.proto = optional(args, 1, tableAt, null);
      return table;
    },
  );
  core.cfun(
    "table/to-struct",
    1,
    2,
    "(table/to-struct tab &opt proto)",
    "A struct of a table's own entries.",
    (args) => {
      const table = tableAt(args, 0);
      const struct = new Struct();
      struct.proto = optional(args, 1, structAt, null);
      putAll(struct, table);
      return struct;
    },
  );
  core.cfun("table/clone", 1, 1, "(table/clone tab)", "A copy of a table with the same prototype.", (args) =>
    cloneTable(tableAt(args, 0)),
  );
  core.cfun(
    "table/rawget",
    2,
    2,
    "(table/rawget tab key)",
    "The value under a key without a look at prototypes.",
    (args) => tableAt(args, 0).rawGet(args[1] as Value),
  );
  core.cfun("table/clear", 1, 1, "(table/clear tab)", "Removes all entries; gives the table.", (args) => {
    const table = tableAt(args, 0);
    table.clear();
    return table;
  });
  core.cfun(
    "table/proto-flatten",
    1,
    1,
    "(table/proto-flatten tab)",
    "A new table without prototype that holds what the table and its prototypes hold.",
    (args) => flattenTable(tableAt(args, 0)),
  );
}

export function cloneTable(table: Table): Table {
  const clone = new Table();
  putAll(clone, table);
  clone.proto = table.proto;
  return clone;
}

export function flattenTable(table: Table): Table {
  const flat = new Table();
  for (const from of prototypeChain(table)) putAll(flat, from, true);
  return flat;
}
