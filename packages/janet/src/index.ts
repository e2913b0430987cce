/** Janet for a host program: {@link createEngine} and what it takes and gives. */
export { fromJs, toJs } from "./convert.ts";
export {
  type BindOptions,
  type CallOptions,
  createEngine,
  type Engine,
  type EngineOptions,
  type EvaluateOptions,
  EvaluationError,
  type HostFunction,
} from "./engine.ts";
export { decode as decodeJson } from "./json/decode.ts";
export { encode as encodeJson } from "./json/encode.ts";
export { show } from "./print/describe.ts";
export { pretty } from "./print/pretty.ts";
export { Abstract, type AbstractType } from "./values/abstract.ts";
export { fromArray, toArray, toBytes, toText } from "./values/bytes.ts";
export { Closure, Native } from "./values/functions.ts";
export { Kw, kw, Sym, sym } from "./values/names.ts";
export { JArray, JBuffer, Tuple } from "./values/sequences.ts";
export { type Dictionary, Struct, structOf, Table, tableOf } from "./values/tables.ts";
export { truthy, type Value } from "./values/value.ts";
export { Fiber } from "./vm/fiber.ts";
export type { Capabilities, Host } from "./vm/host.ts";
export { Interrupted, JanetError, panic } from "./vm/janet-error.ts";
export type { RunLimits } from "./vm/tasks.ts";
