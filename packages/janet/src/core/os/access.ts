import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { toBytes, toText } from "../../values/bytes.ts";
import type { Value } from "../../values/value.ts";
import { JanetError, panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot } from "../arguments.ts";

/** A C string argument: a string without a zero byte. */
export function cstringAt(args: readonly Value[], at: number): string {
  const value = args[at] ?? null;
  if (typeof value !== "string") return badSlot(args, at, "string");
  if (value.includes("\0")) panic("string contains embedded 0s");
  return value;
}

/** The absolute path (text) of a Janet path (bytes), with every link on the way followed as far as the path exists. */
export function followed(vm: Vm, path: string): string {
  return real(resolve(vm.host.cwd, toText(path)));
}

/** As {@link followed}, but the last name itself is not followed: for what acts on a link and not on its target. */
export function named(vm: Vm, path: string): string {
  const absolute = resolve(vm.host.cwd, toText(path));
  return join(real(dirname(absolute)), basename(absolute));
}

/** Most links that are followed one after the other; the operating system follows no more. */
const MOST_LINKS = 40;

function real(absolute: string, links = 0): string {
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = dirname(absolute);
    if (parent === absolute) return absolute;
    const place = join(real(parent, links), basename(absolute));
    const target = targetOf(place);
    if (target === null) return place;
    // A link to what is not there yet leads there all the same: who writes through it makes it.
    if (links >= MOST_LINKS) panic(toBytes(`Too many levels of symbolic links: ${absolute}`));
    return real(resolve(dirname(place), target), links + 1);
  }
}

/** Where a link leads, as it is written; null for what is no link. */
function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** The path to read of a Janet path, links followed. @throws JanetError when the host does not allow it */
export function readable(vm: Vm, path: string, of = followed): string {
  const absolute = of(vm, path);
  if (!vm.host.capabilities.readFiles?.(absolute)) denied("reading files", absolute);
  return absolute;
}

/** The path to write of a Janet path, links followed. @throws JanetError when the host does not allow it */
export function writable(vm: Vm, path: string, of = followed): string {
  const absolute = of(vm, path);
  if (!vm.host.capabilities.writeFiles?.(absolute)) denied("writing files", absolute);
  return absolute;
}

/** What every function without its capability raises: `reading files is not allowed: /etc/passwd`. `what` is text. */
export function denied(doing: string, what: string): never {
  panic(toBytes(`${doing} is not allowed${what === "" ? "" : `: ${what}`}`));
}

const words: Record<string, string> = {
  EPERM: "Operation not permitted",
  ENOENT: "No such file or directory",
  EIO: "Input/output error",
  EBADF: "Bad file descriptor",
  EACCES: "Permission denied",
  EBUSY: "Device or resource busy",
  EEXIST: "File exists",
  EXDEV: "Invalid cross-device link",
  ENOTDIR: "Not a directory",
  EISDIR: "Is a directory",
  EINVAL: "Invalid argument",
  EMFILE: "Too many open files",
  ETXTBSY: "Text file busy",
  EFBIG: "File too large",
  ENOSPC: "No space left on device",
  ESPIPE: "Illegal seek",
  EROFS: "Read-only file system",
  EMLINK: "Too many links",
  EPIPE: "Broken pipe",
  ENAMETOOLONG: "File name too long",
  ENOTEMPTY: "Directory not empty",
  ELOOP: "Too many levels of symbolic links",
  ENOEXEC: "Exec format error",
  ECHILD: "No child processes",
  ESRCH: "No such process",
  ENOMEM: "Cannot allocate memory",
  EADDRINUSE: "Address already in use",
  EADDRNOTAVAIL: "Cannot assign requested address",
  ENETUNREACH: "Network is unreachable",
  ECONNRESET: "Connection reset by peer",
  ECONNREFUSED: "Connection refused",
  ETIMEDOUT: "Connection timed out",
  EHOSTUNREACH: "No route to host",
};

/** What the C library says of a failed system call. */
export function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return words[code] ?? toBytes(error instanceof Error ? error.message : String(error));
}

/** The code of a failed system call, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

/** Does it; a failed system call becomes the Janet error `No such file or directory: path`. `path`: bytes, as the caller wrote it. */
export function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof JanetError) throw error;
    return panic(`${reason(error)}: ${path}`);
  }
}
