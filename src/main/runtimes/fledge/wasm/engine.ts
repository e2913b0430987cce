/**
 * Types for the part of `WebAssembly` that is used here. Node's types do not have it, and the browser's types must not
 * be used in the core.
 */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}
export type WasmImports = Record<string, Record<string, unknown>>;
interface Engine {
  Module: (new (
    bytes: Uint8Array,
  ) => object) & {
    imports(module: object): { module: string; name: string; kind: string }[];
  };
  Instance: new (module: object, imports: WasmImports) => { exports: Record<string, unknown> };
  Memory: new (options: { initial: number }) => WasmMemory;
}

export const engine = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;
