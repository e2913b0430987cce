/** The parts of the engine, for hosts that read source without running it, or run it form by form. */
export { CompileError, compile } from "./compiler/compile.ts";
export { textOf } from "./print/describe.ts";
export { ParseError, readForms, readPieces } from "./reader/read.ts";
export { getValue } from "./values/operators.ts";
export { callValue } from "./vm/call.ts";
export { makeFiber } from "./vm/fibers.ts";
export type { Vm } from "./vm/vm.ts";
