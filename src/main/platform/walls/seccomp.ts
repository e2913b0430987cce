import { randomUUID } from "node:crypto";
import { openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * System calls that no plugin needs and that attacks on the kernel and on other processes begin with. They answer
 * "operation not permitted". The numbers are those of the kernel's tables for x86-64 and for 64-bit ARM.
 */
const refused: Record<string, [x64: number, arm64: number]> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  open_by_handle_at: [304, 265],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  syslog: [103, 116],
  acct: [163, 89],
  quotactl: [179, 60],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
};

/** `clone` with the flag for a user namespace; its flags are the first argument on both systems. */
const clone: [x64: number, arm64: number] = [56, 220];
const NEW_USER = 0x10000000;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const ANSWER = 0x06;
const ALLOW = 0x7fff0000;
const NOT_PERMITTED = 0x00050001;

/** Where the kernel puts the parts of a system call before a filter. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_ARGUMENT_AT = 16;

const architectures = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** The filter as bytes of the kernel's small language (BPF); null for a processor whose numbers we have not got. */
export function filterBytes(arch: string): Buffer | null {
  if (arch !== "x64" && arch !== "arm64") return null;
  const at = arch === "x64" ? 0 : 1;
  const numbers = Object.values(refused).map((both) => both[at]);
  const steps: [code: number, ifTrue: number, ifFalse: number, value: number][] = [];
  steps.push([LOAD, 0, 0, ARCHITECTURE_AT]);
  // A program for another processor, such as a 32-bit one, has other numbers: it may not make system calls at all.
  steps.push([EQUAL, 1, 0, architectures[arch]]);
  steps.push([ANSWER, 0, 0, NOT_PERMITTED]);
  steps.push([LOAD, 0, 0, NUMBER_AT]);
  // x86-64 has a second set of numbers above this bit, for x32.
  if (arch === "x64") steps.push([AT_LEAST, 0, 1, 0x40000000], [ANSWER, 0, 0, NOT_PERMITTED]);
  for (const number of numbers) steps.push([EQUAL, 0, 1, number], [ANSWER, 0, 0, NOT_PERMITTED]);
  steps.push([EQUAL, 0, 3, clone[at]], [LOAD, 0, 0, FIRST_ARGUMENT_AT]);
  steps.push([ANY_BIT, 0, 1, NEW_USER], [ANSWER, 0, 0, NOT_PERMITTED], [ANSWER, 0, 0, ALLOW]);
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

let kept: number | null | undefined;

/** Opens the filter for one process to read, from its beginning. Null where there is none. Whoever asks closes it. */
export function openFilter(): number | null {
  kept ??= keep();
  return kept === null ? null : openSync(`/proc/self/fd/${kept}`, "r");
}

/** A deleted file that stays open, so that no other program changes it. */
function keep(): number | null {
  const bytes = process.platform === "linux" ? filterBytes(process.arch) : null;
  if (bytes === null) return null;
  const path = join(tmpdir(), `patchbay-filter-${randomUUID()}`);
  writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
  const file = openSync(path, "r");
  rmSync(path);
  return file;
}
