import { show } from "../../print/describe.ts";
import { Kw, kw, Sym, sym } from "../../values/names.ts";
import { compareValues } from "../../values/operators.ts";
import { JArray } from "../../values/sequences.ts";
import { prototypeChain, Struct, Table } from "../../values/tables.ts";
import { truthy, type Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { optional, tableAt } from "../arguments.ts";
import { ownEnv } from "../fibers/fibers.ts";
import type { Registrar } from "../registrar.ts";

const keys = { value: kw("value"), ref: kw("ref"), redef: kw("redef"), private: kw("private") };

/** Environments and dynamic bindings. */
export function install(core: Registrar): void {
  core.cfun("dyn", 1, 2, "(dyn key &opt default)", "A dynamic binding, or default.", (args, vm) => {
    const value = vm.fiber?.env?.get(args[0] as Value) ?? null;
    return value === null ? (args[1] ?? null) : value;
  });
  core.cfun("setdyn", 2, 2, "(setdyn key value)", "Sets a dynamic binding; gives value.", (args, vm) => {
    const key = args[0] as Value;
    if (key !== null && !Number.isNaN(key)) ownEnv(vm).put(key, args[1] as Value);
    return args[1] as Value;
  });
  core.fun(
    "curenv",
    0,
    1,
    "(curenv &opt n)",
    "The running environment, or its n-th prototype.",
    (args, vm) => {
      let env: Table | null = ownEnv(vm);
      for (let left = Number(args[0] ?? 0); left > 0 && env; left--) env = env.proto;
      return env;
    },
  );
  core.fun(
    "make-env",
    0,
    1,
    "(make-env &opt parent)",
    "A fresh environment, with the core as its prototype.",
    (args, vm) => {
      const env = new Table();
      // Janet's words are those of `table/setproto`, which takes it second.
      env.proto = optional([env, args[0] ?? null], 1, tableAt, vm.core);
      return env;
    },
  );
  core.cfun("env-lookup", 1, 1, "(env-lookup env)", "A table from names to values, for `marshal`.", (args) =>
    lookup(tableAt(args, 0)),
  );
  core.fun(
    "defglobal",
    2,
    2,
    "(defglobal name value)",
    "Binds a name in the running environment.",
    (args, vm) => {
      const entry = new Table();
      entry.put(keys.value, args[1] as Value);
      ownEnv(vm).put(nameOf(args[0] as Value), entry);
      return args[1] as Value;
    },
  );
  core.fun(
    "varglobal",
    2,
    2,
    "(varglobal name init)",
    "Binds a name to a var in the running environment.",
    (args, vm) => {
      const entry = new Table();
      entry.put(keys.ref, new JArray([args[1] as Value]));
      ownEnv(vm).put(nameOf(args[0] as Value), entry);
      return args[1] as Value;
    },
  );
  core.fun(
    "all-bindings",
    0,
    2,
    "(all-bindings &opt env local)",
    "The symbols that are bound in an environment, sorted; local: without its prototypes.",
    (args, vm) => namesIn(vm, args, (key) => key instanceof Sym),
  );
  core.fun(
    "all-dynamics",
    0,
    2,
    "(all-dynamics &opt env local)",
    "The keywords that are bound in an environment, sorted; local: without its prototypes.",
    (args, vm) => namesIn(vm, args, (key) => key instanceof Kw),
  );
}

function nameOf(name: Value): Value {
  return name instanceof Sym ? name : typeof name === "string" ? sym(name) : name;
}

function namesIn(vm: Vm, args: readonly Value[], wanted: (key: Value) => boolean): Value {
  const found = new Set<Value>();
  const env = (args[0] ?? ownEnv(vm)) as Table | Struct | null;
  if (!(env instanceof Table || env instanceof Struct))
    return panic(`bad slot #0, expected table, got ${show(env)}`);
  const local = truthy(args[1] ?? null);
  for (const layer of local ? [env] : prototypeChain(env)) {
    for (let slot = 0; slot < layer.slots; slot++)
      if (layer.liveAt(slot) && wanted(layer.keyAt(slot))) found.add(layer.keyAt(slot));
  }
  return new JArray([...found].sort(compareValues));
}

function lookup(env: Table): Table {
  const table = new Table();
  for (const each of prototypeChain(env).reverse()) {
    for (let slot = 0; slot < each.slots; slot++) {
      const entry = each.liveAt(slot) ? each.valueAt(slot) : null;
      if (!(each.keyAt(slot) instanceof Sym) || !(entry instanceof Table)) continue;
      const cell = entry.get(keys.ref);
      table.put(each.keyAt(slot), cell instanceof JArray ? (cell.items[0] ?? null) : entry.get(keys.value));
    }
  }
  return table;
}
