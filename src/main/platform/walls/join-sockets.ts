import type { Duplex } from "node:stream";

/** Passes on everything between two sockets, until both directions have ended or one of them breaks. */
export function joinSockets(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  one.once("close", () => other.destroy());
  other.once("close", () => one.destroy());
  one.resume();
}
