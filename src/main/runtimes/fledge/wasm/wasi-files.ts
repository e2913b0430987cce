import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { Quota } from "./quota.ts";
import { errno, WasiError } from "./wasi-errors.ts";
import type { Mount } from "./wire.ts";

/** What a file descriptor of the guest stands for. */
export type Entry =
  | { kind: "stream"; stream: "stdin" | "stdout" | "stderr" }
  | { kind: "folder"; path: string; mount: Mount; preopened: boolean }
  | { kind: "file"; fd: number; position: bigint; append: boolean; writable: boolean; mount: Mount };

const MOST_OPEN = 256;

/**
 * The file descriptors of a wasm module (the guest). It can reach no path outside its mounts and cannot write to a
 * read-only one.
 */
export class GuestFiles {
  readonly #entries = new Map<number, Entry>();
  readonly #quotas = new Map<Mount, Quota>();

  constructor(mounts: readonly Mount[]) {
    this.#entries.set(0, { kind: "stream", stream: "stdin" });
    this.#entries.set(1, { kind: "stream", stream: "stdout" });
    this.#entries.set(2, { kind: "stream", stream: "stderr" });
    mounts.forEach((mount, at) => {
      if (mount.writable) this.#quotas.set(mount, new Quota(mount.dir, () => this.#unnamed()));
      this.#entries.set(3 + at, { kind: "folder", path: realpathSync(mount.dir), mount, preopened: true });
    });
  }

  get(fd: number): Entry {
    return this.#entries.get(fd) ?? refuse(errno.badf);
  }

  folder(fd: number): Extract<Entry, { kind: "folder" }> {
    const entry = this.get(fd);
    return entry.kind === "folder" ? entry : refuse(errno.notdir);
  }

  file(fd: number): Extract<Entry, { kind: "file" }> {
    const entry = this.get(fd);
    if (entry.kind === "file") return entry;
    return refuse(entry.kind === "folder" ? errno.isdir : errno.spipe);
  }

  writable(fd: number): Extract<Entry, { kind: "file" }> {
    const file = this.file(fd);
    return file.writable ? file : refuse(errno.badf);
  }

  /** @throws WasiError when there is no room for one more */
  makeFolder({ path, mount }: { path: string; mount: Mount }): void {
    this.#quotas.get(mount)?.take({ entries: 1 });
    mkdirSync(path, { mode: 0o700 });
  }

  /** Counts that a file is about to have at least this size, in bytes. @throws WasiError when there is no room */
  grow({ fd, mount }: Extract<Entry, { kind: "file" }>, size: number): void {
    const more = size - fstatSync(fd).size;
    if (more > 0) this.#quotas.get(mount)?.take({ bytes: more });
  }

  #unnamed(): number {
    const open = [...this.#entries.values()].flatMap((entry) => (entry.kind === "file" ? entry.fd : []));
    return open
      .map((fd) => fstatSync(fd))
      .reduce((sum, { nlink, size }) => (nlink === 0 ? sum + size : sum), 0);
  }

  close(fd: number): void {
    const entry = this.get(fd);
    if (entry.kind === "file") closeSync(entry.fd);
    this.#entries.delete(fd);
  }

  closeAll(): void {
    for (const fd of [...this.#entries.keys()]) this.close(fd);
  }

  renumber(from: number, to: number): void {
    const entry = this.get(from);
    if (this.#entries.has(to)) this.close(to);
    this.#entries.delete(from);
    this.#entries.set(to, entry);
  }

  /**
   * The path on disk for a path of the guest. The parent folder must exist and lie, with links resolved, inside the
   * mount; the last name need not exist. `follow`: a link at the end is followed; it is refused when it leads out of
   * the mount.
   */
  resolve(fd: number, path: string, follow: boolean): { path: string; mount: Mount } {
    const { path: base, mount } = this.folder(fd);
    const root = realpathSync(mount.dir);
    if (path.includes("\0") || path === "") refuse(path === "" ? errno.noent : errno.inval);
    if (path.startsWith("/")) refuse(errno.notcapable);
    // A path with so many `..` that it leaves the mount on the way is refused, even if it would lead back inside.
    let depth = base === root ? 0 : base.slice(root.length + 1).split(sep).length;
    for (const name of path.split("/")) {
      if (name === "..") depth -= 1;
      else if (name !== "" && name !== ".") depth += 1;
      if (depth < 0) refuse(errno.notcapable);
    }
    const wanted = join(base, path);
    if (wanted.replace(/[/\\]+$/, "") === root) return { path: root, mount };
    const parent = realpathSync(dirname(wanted));
    const place = join(parent, basename(wanted));
    if (!within(root, parent)) refuse(errno.notcapable);
    if (!follow || !isLink(place)) return { path: place, mount };
    const target = realpathSync(place);
    if (!within(root, target)) refuse(errno.notcapable);
    return { path: target, mount };
  }

  /** Opens what a path means; `flags` are those of WASI's `path_open`. */
  open(
    fd: number,
    path: string,
    wants: {
      follow: boolean;
      create: boolean;
      folder: boolean;
      exclusive: boolean;
      truncate: boolean;
      write: boolean;
      read: boolean;
      append: boolean;
    },
  ): number {
    if (this.#entries.size >= MOST_OPEN) refuse(errno.nospc);
    const place = this.resolve(fd, path, wants.follow);
    const { mount } = place;
    const changes = wants.create || wants.truncate || wants.write || wants.append;
    const known = statOf(place.path);
    if (known?.isSymbolicLink()) refuse(errno.loop);
    if (known?.isDirectory()) {
      if (wants.create && wants.exclusive) refuse(errno.exist);
      return this.#add({ kind: "folder", path: place.path, mount, preopened: false });
    }
    if (wants.folder) refuse(known ? errno.notdir : errno.noent);
    if (known && !known.isFile()) refuse(errno.acces);
    if (changes && !mount.writable) {
      if (known && !wants.truncate && !wants.exclusive && wants.create && !wants.write)
        return this.#openFile(place.path, constants.O_RDONLY, mount, wants.append);
      refuse(known || wants.create ? errno.rofs : errno.noent);
    }
    if (!known && wants.create) this.#quotas.get(mount)?.take({ entries: 1 });
    const mode =
      wants.write || wants.append ? (wants.read ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY;
    const flags =
      mode |
      (wants.create ? constants.O_CREAT : 0) |
      (wants.exclusive ? constants.O_EXCL : 0) |
      (wants.truncate ? constants.O_TRUNC : 0);
    return this.#openFile(place.path, flags, mount, wants.append);
  }

  #openFile(path: string, flags: number, mount: Mount, append: boolean): number {
    const nofollow = constants.O_NOFOLLOW ?? 0;
    const nonblock = constants.O_NONBLOCK ?? 0;
    const fd = openSync(path, flags | nofollow | nonblock, 0o600);
    if (!fstatSync(fd).isFile()) {
      closeSync(fd);
      refuse(errno.acces);
    }
    const writable = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
    return this.#add({ kind: "file", fd, position: 0n, append, writable, mount });
  }

  #add(entry: Entry): number {
    let fd = 3;
    while (this.#entries.has(fd)) fd++;
    this.#entries.set(fd, entry);
    return fd;
  }
}

export function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Names and WASI file types of the entries of a folder, including `.` and `..`. */
export function listFolder(path: string): { name: string; type: number }[] {
  const found = readdirSync(path, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    type: entry.isDirectory() ? 3 : entry.isFile() ? 4 : entry.isSymbolicLink() ? 7 : 0,
  }));
  return [
    { name: ".", type: 3 },
    { name: "..", type: 3 },
    ...found.sort((a, b) => (a.name < b.name ? -1 : 1)),
  ];
}

/** The WASI number for the kind of a file. */
export function fileType(stat: Stats): number {
  if (stat.isDirectory()) return 3;
  if (stat.isFile()) return 4;
  return stat.isSymbolicLink() ? 7 : 0;
}

export function refuse(number: number): never {
  throw new WasiError(number);
}

function within(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}

function isLink(path: string): boolean {
  return statOf(path)?.isSymbolicLink() ?? false;
}
