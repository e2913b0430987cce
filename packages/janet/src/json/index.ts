import { bufferAt, bytesAt } from "../core/arguments.ts";
import type { Registrar } from "../core/registrar.ts";
import { JBuffer } from "../values/sequences.ts";
import { truthy } from "../values/value.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** `json/encode` and `json/decode`: extras that Janet itself has in its spork library. */
export function install(core: Registrar): void {
  core.cfun(
    "json/encode",
    1,
    4,
    "(json/encode x &opt tab newline buf)",
    "A value as JSON in a buffer, over lines when tab and newline are given. nil and :null are null.",
    (args, vm) => {
      const [tab, newline] = [1, 2].map((at) => ((args[at] ?? null) === null ? "" : bytesAt(args, at)));
      const text = encode(vm, args[0] ?? null, tab ?? "", newline ?? "");
      const buffer = (args[3] ?? null) === null ? new JBuffer(text.length) : bufferAt(args, 3);
      buffer.pushString(text);
      return buffer;
    },
  );
  core.cfun(
    "json/decode",
    1,
    3,
    "(json/decode json-source &opt keywords nils)",
    "The value of a JSON text. With keywords its keys are keywords, with nils null is nil, else :null.",
    (args, vm) => decode(vm, bytesAt(args, 0), truthy(args[1] ?? null), truthy(args[2] ?? null)),
  );
}
