import { createHash } from "node:crypto";

/** The trace of a turn: 16 bytes in hex, always the same ones for the same turn. */
export function traceIdOf(turnId: string): string {
  return digest(`turn ${turnId}`).slice(0, 32);
}

/** A span of a turn: 8 bytes in hex. */
export function spanIdOf(turnId: string, spanId: string): string {
  return digest(`span ${turnId} ${spanId}`).slice(0, 16);
}

/** Nanoseconds since 1970 as OTLP's JSON has them, from milliseconds with fractions. */
export function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
