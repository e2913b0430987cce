/** The error numbers of WASI preview 1 that are used here. */
export const errno = {
  success: 0,
  acces: 2,
  badf: 8,
  exist: 20,
  inval: 28,
  io: 29,
  isdir: 31,
  loop: 32,
  nametoolong: 37,
  noent: 44,
  nospc: 51,
  nosys: 52,
  notdir: 54,
  notempty: 55,
  notsup: 58,
  perm: 63,
  rofs: 69,
  spipe: 70,
  notcapable: 76,
} as const;

/** Thrown inside a WASI call; its number becomes the call's return value. */
export class WasiError extends Error {
  readonly errno: number;

  constructor(number: number) {
    super(`WASI error ${number}`);
    this.errno = number;
  }
}

const byCode: Record<string, number> = {
  EACCES: errno.acces,
  EEXIST: errno.exist,
  EINVAL: errno.inval,
  EISDIR: errno.isdir,
  ELOOP: errno.loop,
  ENAMETOOLONG: errno.nametoolong,
  ENOENT: errno.noent,
  ENOSPC: errno.nospc,
  EDQUOT: errno.nospc,
  ENOTDIR: errno.notdir,
  ENOTEMPTY: errno.notempty,
  EPERM: errno.perm,
  EROFS: errno.rofs,
};

/** The number for whatever was thrown in a call. */
export function errnoOf(error: unknown): number {
  if (error instanceof WasiError) return error.errno;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return byCode[code] ?? errno.io;
}
