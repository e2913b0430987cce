import { randomUUID } from "node:crypto";
import { openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  clone3Call,
  cloneCall,
  NEW_NAMESPACE,
  numbersOf,
  observedCalls,
  quietlyRefusedCalls,
  refusedCalls,
} from "./traces/calls.ts";

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const ANSWER = 0x06;
const ALLOW = 0x7fff0000;
const NOT_PERMITTED = 0x00050001;
const NOT_THERE = 0x00050026;
/** The call waits until whoever listens has answered. */
const NOTIFY = 0x7fc00000;

/** Where the kernel puts the parts of a system call before a filter. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const architectures = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
/** Go sends this signal to threads of its own all the time. */
const URGENT = 23;

type Step = [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * `whole`: refuses by itself. `rest`: what is left to refuse when the watcher, who tells of them, refuses the calls that
 * have a name. `watched`: hands those to the watcher, and lets it look at some that everybody makes.
 */
export type FilterKind = "whole" | "rest" | "watched";

/** A filter as bytes of the kernel's small language (BPF); null for a processor whose numbers we have not got. */
export function filterBytes(arch: string, kind: FilterKind = "whole"): Buffer | null {
  if (arch !== "x64" && arch !== "arm64") return null;
  const at = arch === "x64" ? 0 : 1;
  return assembled(kind === "watched" ? watched(arch, at) : refusing(arch, at, kind));
}

/** What the watcher is told the calls by: `number:name`, with a `~` before the name of one that always goes on. */
export function watchedNumbers(arch: "x64" | "arm64"): string {
  const at = arch === "x64" ? 0 : 1;
  const refused = [...numbersOf(refusedCalls, at), ...numbersOf({ clone: cloneCall }, at)];
  const observed = numbersOf(observedCalls, at).map(([name, number]) => [`~${name}`, number] as const);
  return [...refused, ...observed].map(([name, number]) => `${number}:${name}`).join(",");
}

function refusing(arch: "x64" | "arm64", at: 0 | 1, kind: "whole" | "rest"): Step[] {
  const calls = kind === "whole" ? { ...refusedCalls, ...quietlyRefusedCalls } : quietlyRefusedCalls;
  const steps: Step[] = [[LOAD, 0, 0, ARCHITECTURE_AT]];
  // A program for another processor, such as a 32-bit one, has other numbers: it may not make system calls at all.
  steps.push([EQUAL, 1, 0, architectures[arch]], [ANSWER, 0, 0, NOT_PERMITTED], [LOAD, 0, 0, NUMBER_AT]);
  // x86-64 has a second set of numbers above this bit, for x32.
  if (arch === "x64") steps.push([AT_LEAST, 0, 1, 0x40000000], [ANSWER, 0, 0, NOT_PERMITTED]);
  for (const [, number] of numbersOf(calls, at))
    steps.push([EQUAL, 0, 1, number], [ANSWER, 0, 0, NOT_PERMITTED]);
  steps.push([EQUAL, 0, 1, clone3Call[at] as number], [ANSWER, 0, 0, NOT_THERE]);
  if (kind === "whole") steps.push(...namespaces(at, NOT_PERMITTED));
  steps.push([ANSWER, 0, 0, ALLOW]);
  return steps;
}

function watched(arch: "x64" | "arm64", at: 0 | 1): Step[] {
  const steps: Step[] = [[LOAD, 0, 0, ARCHITECTURE_AT]];
  // Those of other numbers are refused by the other filter, which counts before this one.
  steps.push([EQUAL, 1, 0, architectures[arch]], [ANSWER, 0, 0, ALLOW], [LOAD, 0, 0, NUMBER_AT]);
  for (const [name, number] of numbersOf(observedCalls, at)) steps.push(...observed(name, number));
  for (const [, number] of numbersOf(refusedCalls, at))
    steps.push([EQUAL, 0, 1, number], [ANSWER, 0, 0, NOTIFY]);
  steps.push(...namespaces(at, NOTIFY), [ANSWER, 0, 0, ALLOW]);
  return steps;
}

function namespaces(at: 0 | 1, answer: number): Step[] {
  return [
    [EQUAL, 0, 3, cloneCall[at] as number],
    [LOAD, 0, 0, argumentAt(0)],
    [ANY_BIT, 0, 1, NEW_NAMESPACE],
    [ANSWER, 0, 0, answer],
    [LOAD, 0, 0, NUMBER_AT],
  ];
}

/** Calls that need no look are let go here, where that costs next to nothing. */
function observed(name: string, number: number): Step[] {
  const unless = (index: number, value: number): Step[] => [
    [EQUAL, 0, 4, number],
    [LOAD, 0, 0, argumentAt(index)],
    [EQUAL, 0, 1, value],
    [ANSWER, 0, 0, ALLOW],
    [ANSWER, 0, 0, NOTIFY],
  ];
  // Signal 0 only asks whether a process is there.
  if (name === "kill" || name === "tkill") return unless(1, 0);
  if (name === "tgkill") return unless(2, URGENT);
  // Without an address it goes to where the socket is connected to.
  if (name === "sendto") return unless(5, 0);
  return [
    [EQUAL, 0, 1, number],
    [ANSWER, 0, 0, NOTIFY],
  ];
}

function assembled(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

const kept = new Map<FilterKind, number | null>();

/** Opens the filter for one process to read, from its beginning. Null where there is none. Whoever asks closes it. */
export function openFilter(kind: "whole" | "rest" = "whole"): number | null {
  const file = kept.get(kind) ?? keep(kind);
  kept.set(kind, file);
  return file === null ? null : openSync(`/proc/self/fd/${file}`, "r");
}

/** A deleted file that stays open, so that no other program changes it. */
function keep(kind: FilterKind): number | null {
  const bytes = process.platform === "linux" ? filterBytes(process.arch, kind) : null;
  if (bytes === null) return null;
  const path = join(tmpdir(), `patchbay-filter-${randomUUID()}`);
  writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
  const file = openSync(path, "r");
  rmSync(path);
  return file;
}
