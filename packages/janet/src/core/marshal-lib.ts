import { Unmarshaller } from "../marshal/read.ts";
import { Marshaller } from "../marshal/write.ts";
import { kw, Sym } from "../values/names.ts";
import { JArray, JBuffer } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import type { Vm } from "../vm/vm.ts";
import { bufferAt, bytesAt, tableAt } from "./arguments.ts";
import type { Registrar } from "./registrar.ts";

function marshal(vm: Vm, value: Value, names: Table | null, out = new JBuffer(), shares = true): JBuffer {
  new Marshaller(vm, out, names, shares).write(value);
  return out;
}

/** `marshal`, images. To be installed last: the dictionaries of images hold what the core holds by then. */
export function install(core: Registrar): void {
  core.cfun(
    "marshal",
    1,
    4,
    "(marshal value &opt reverse-lookup buffer no-cycles)",
    "Writes a value as bytes to a buffer, a new one when none is given. A table of value → symbol says what is written by name.",
    (args, vm) => {
      const names = args.length > 1 ? tableAt(args, 1) : null;
      const out = args.length > 2 ? bufferAt(args, 2) : new JBuffer();
      return marshal(vm, args[0] as Value, names, out, !truthy(args[3] ?? null));
    },
  );
  core.cfun(
    "unmarshal",
    1,
    2,
    "(unmarshal bytes &opt lookup)",
    "The value that was marshalled to these bytes. A table of symbol → value says what names stand for.",
    (args, vm) => {
      const bytes = bytesAt(args, 0);
      return new Unmarshaller(vm, bytes, args.length > 1 ? tableAt(args, 1) : null).read();
    },
  );
  const values = new Table();
  const names = new Table();
  core.fun(
    "make-image",
    1,
    1,
    "(make-image env)",
    "Bytes of an environment from which load-image makes it again.",
    ([env = null], vm) => marshal(vm, env, names),
  );
  core.fun(
    "load-image",
    1,
    1,
    "(load-image image)",
    "The environment from which make-image made these bytes.",
    (args, vm) => new Unmarshaller(vm, bytesAt(args, 0), values).read(),
  );
  core.value("load-image-dict", values, "What load-image takes the names in an image for: symbol → value.");
  core.value("make-image-dict", names, "What make-image writes by name: value → symbol.");
  fill(core.env, values, names);
}

/** Fills the dictionaries of images with the bindings of an environment, and with the environment itself. */
function fill(env: Table, values: Table, names: Table): void {
  const add = (name: Sym, value: Value) => {
    if (value === null) return;
    values.put(name, value);
    if (!Number.isNaN(value)) names.put(value, name);
  };
  for (let slot = 0; slot < env.slots; slot++) {
    const name = env.liveAt(slot) ? env.keyAt(slot) : null;
    const binding = name === null ? null : env.valueAt(slot);
    if (!(name instanceof Sym) || !(binding instanceof Table)) continue;
    const cell = binding.get(kw("ref"));
    add(name, cell instanceof JArray ? (cell.items[0] ?? null) : binding.get(kw("value")));
  }
}
