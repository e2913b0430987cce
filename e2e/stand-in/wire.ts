/**
 * Structured values as JSON: what a MessagePort or an IPC message may carry here. Throws on anything else rather than
 * pretending. Both functions are also evaluated in the page, so they must not refer to anything outside themselves.
 */
export function encodeValue(value: unknown): unknown {
  if (value === undefined) return { $: "undefined" };
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes =
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return { $: value instanceof ArrayBuffer ? "buffer" : "bytes", data: btoa(text) };
  }
  if (Array.isArray(value)) return value.map(encodeValue);
  if (typeof value === "object" && Object.prototype.toString.call(value) === "[object Object]") {
    const entries = Object.entries(value).map(([key, item]) => [key, encodeValue(item)]);
    return { $: "object", data: Object.fromEntries(entries) };
  }
  throw new Error(`The stand-in cannot clone ${Object.prototype.toString.call(value)}.`);
}

export function decodeValue(wire: unknown): unknown {
  if (Array.isArray(wire)) return wire.map(decodeValue);
  if (typeof wire !== "object" || wire === null) return wire;
  const { $: kind, data } = wire as { $: string; data?: unknown };
  if (kind === "undefined") return undefined;
  if (kind === "object") {
    const entries = Object.entries(data as Record<string, unknown>).map(([key, item]) => [
      key,
      decodeValue(item),
    ]);
    return Object.fromEntries(entries);
  }
  const text = atob(data as string);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return kind === "buffer" ? bytes.buffer : bytes;
}

/** What travels from the isolated world to main. */
export type FromPage =
  | { kind: "ipc"; channel: string; args: unknown[] }
  | { kind: "port"; port: number; data: unknown }
  | { kind: "port-closed"; port: number };

/** What travels from main to the isolated world. */
export type ToPage =
  | { kind: "ipc"; channel: string; args: unknown[]; ports: number[] }
  | { kind: "port"; port: number; data: unknown }
  | { kind: "close-port"; port: number };
