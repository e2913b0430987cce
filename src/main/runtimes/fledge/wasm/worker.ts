import { readFileSync } from "node:fs";
import { engine, type WasmImports, type WasmMemory } from "./engine.ts";
import { limitMemory } from "./limit-memory.ts";
import { readLine, writeLine } from "./lines.ts";
import { WasiExit } from "./process-calls.ts";
import { Wasi } from "./wasi.ts";
import { type FromWasm, PRINTED_BYTES, type WasmJob } from "./wire.ts";

/** Runs one module to its end, in a process of its own behind a wall; the app kills it when that takes too long. */
const job = JSON.parse(readLine()) as WasmJob;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

let memory: WasmMemory | undefined;
/** The response that the module has not read yet; `recv` copies from it. There is at most one. */
let slot: Uint8Array = encoder.encode(job.init);

function tell(message: FromWasm): void {
  writeLine(JSON.stringify(message));
}

function print(stream: "stdout" | "stderr", bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PRINTED_BYTES) {
    const part = bytes.subarray(at, at + PRINTED_BYTES);
    tell({ t: "printed", stream, base64: Buffer.from(part).toString("base64") });
  }
}

function textAt(at: number, length: number): string {
  return decoder.decode(bytesAt(at, length));
}

function bytesAt(at: number, length: number): Uint8Array {
  if (!memory) throw new Error("it has no memory");
  const from = at >>> 0;
  const size = length >>> 0;
  if (from + size > memory.buffer.byteLength) throw new Error("it points outside its memory");
  return new Uint8Array(memory.buffer, from, size).slice();
}

function receive(at: number, most: number): number {
  const part = slot.subarray(0, most >>> 0);
  slot = slot.subarray(part.length);
  if (part.length > 0) {
    if (!memory || (at >>> 0) + part.length > memory.buffer.byteLength)
      throw new Error("it points outside its memory");
    new Uint8Array(memory.buffer).set(part, at >>> 0);
  }
  return part.length;
}

/** Sends a request to the app and waits until it has answered. Returns the length of the answer in bytes. */
function ask(kind: Extract<FromWasm, { t: "request" }>["kind"], at: number, length: number): number {
  tell({ t: "request", kind, text: textAt(at, length) });
  slot = encoder.encode(readLine());
  return slot.length;
}

function fledgeImports(): Record<string, unknown> {
  const { grants } = job;
  return {
    send: (at: number, length: number) => tell({ t: "message", text: textAt(at, length) }),
    recv: receive,
    exit: (code: number) => {
      throw new WasiExit(code);
    },
    ...(grants.exec && { exec: (at: number, length: number) => ask("exec", at, length) }),
    ...(grants.store && {
      store_set: (at: number, length: number) => void ask("store_set", at, length),
      store_get: (at: number, length: number) => ask("store_get", at, length),
    }),
    ...(grants.metadata && { metadata: (at: number, length: number) => ask("metadata", at, length) }),
  };
}

const capabilities: Record<string, string> = {
  exec: "exec",
  store_set: "store",
  store_get: "store",
  metadata: "metadata",
};

/** @throws Error naming an import that is not there, and the capability that it belongs to */
function checkImports(module: object, imports: WasmImports): void {
  for (const { module: from, name, kind } of engine.Module.imports(module)) {
    if (kind === "function" && typeof imports[from]?.[name] === "function") continue;
    const capability = capabilities[name];
    throw new Error(
      from === "fledge" && capability
        ? `it needs the capability “${capability}”, which it has not got`
        : `it needs ${from}.${name}, which does not exist`,
    );
  }
}

function run(): number {
  const wasi = new Wasi(job.mounts, () => memory, print);
  const module = new engine.Module(Buffer.from(limitMemory(readFileSync(job.file))));
  const imports = { wasi_snapshot_preview1: wasi.imports(), fledge: fledgeImports() };
  checkImports(module, imports);
  try {
    const { exports } = new engine.Instance(module, imports);
    if (!(exports.memory instanceof engine.Memory)) throw new Error("it exports no memory");
    if (typeof exports._start !== "function") throw new Error("it exports no `_start`");
    memory = exports.memory;
    exports._start();
    return 0;
  } catch (error) {
    if (error instanceof WasiExit) return error.code;
    throw error;
  } finally {
    wasi.close();
  }
}

try {
  tell({ t: "ended", code: run() });
} catch (error) {
  tell({ t: "failed", message: error instanceof Error ? error.message : String(error) });
}
