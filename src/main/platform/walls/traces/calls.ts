/** Numbers of the kernel's tables for x86-64 and for 64-bit ARM; null where that processor has no such call. */
type Numbers = readonly [x64: number, arm64: number | null];

/**
 * System calls that no plugin needs and that attacks on the kernel and on other processes begin with. They answer
 * "operation not permitted".
 */
export const refusedCalls: Record<string, Numbers> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
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

/** Refused as well, but never told of: Node and graphics libraries try these in all innocence. */
export const quietlyRefusedCalls: Record<string, Numbers> = {
  io_uring_setup: [425, 425],
  kcmp: [312, 272],
};

/** `clone` with a flag for a namespace; its flags are the first argument on both systems. */
export const cloneCall: Numbers = [56, 220];
/** Answers "not there", so that the C library takes `clone`, whose flags a filter can see. */
export const clone3Call: Numbers = [435, 435];
/** Flags for namespaces of mounts, control groups, names, IPC, users, processes and network. */
export const NEW_NAMESPACE = 0x7e020000;

/** Calls that everybody makes, and that are looked at because of what they are made with. They always go on. */
export const observedCalls: Record<string, Numbers> = {
  openat: [257, 56],
  open: [2, null],
  openat2: [437, 437],
  creat: [85, null],
  rename: [82, null],
  renameat: [264, 38],
  renameat2: [316, 276],
  unlink: [87, null],
  unlinkat: [263, 35],
  rmdir: [84, null],
  mkdir: [83, null],
  mkdirat: [258, 34],
  mknod: [133, null],
  mknodat: [259, 33],
  link: [86, null],
  linkat: [265, 37],
  symlink: [88, null],
  symlinkat: [266, 36],
  truncate: [76, 45],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  execve: [59, 221],
  connect: [42, 203],
  bind: [49, 200],
  sendto: [44, 206],
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  pidfd_open: [434, 434],
};

/** The numbers of these calls on a processor. */
export function numbersOf(calls: Record<string, Numbers>, at: 0 | 1): [name: string, number: number][] {
  return Object.entries(calls).flatMap(([name, numbers]) => {
    const number = numbers[at];
    return number === null ? [] : [[name, number] as [string, number]];
  });
}
