import * as fs from "node:fs";
import { resolve } from "node:path";
import { show } from "../../print/describe.ts";
import { toBytes, toText } from "../../values/bytes.ts";
import { Kw, kw } from "../../values/names.ts";
import { JArray } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import { truthy, type Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { arrayAt, badSlot, integerAt, numberAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { attempt, codeOf, cstringAt, named, readable, reason, writable } from "./access.ts";
import { modeAt, permissionText } from "./permissions.ts";

/** Files and directories by their paths. */
export function install(core: Registrar): void {
  core.cfun("os/cwd", 0, 0, "(os/cwd)", "The working directory.", (_args, vm) => toBytes(vm.host.cwd));
  core.cfun("os/cd", 1, 1, "(os/cd path)", "Changes the working directory of this engine.", (args, vm) => {
    const path = cstringAt(args, 0);
    attempt(path, () => {
      const target = readable(vm, path);
      fs.opendirSync(target).closeSync();
      vm.host.cwd = target;
    });
    return null;
  });
  core.cfun(
    "os/stat",
    1,
    2,
    "(os/stat path &opt tab|key)",
    "Facts of a file as a table, or the one fact of this key; nil when there is no such file. Links are followed.",
    (args, vm) => facts(args, () => fs.statSync(readable(vm, cstringAt(args, 0)))),
  );
  core.cfun(
    "os/lstat",
    1,
    2,
    "(os/lstat path &opt tab|key)",
    "As os/stat, but of a link itself.",
    (args, vm) => facts(args, () => fs.lstatSync(readable(vm, cstringAt(args, 0), named))),
  );
  core.cfun(
    "os/dir",
    1,
    2,
    "(os/dir dir &opt array)",
    "The names in a directory, added to `array` when it is given.",
    (args, vm) => {
      const path = cstringAt(args, 0);
      const names = args.length > 1 ? arrayAt(args, 1) : new JArray();
      const directory = readable(vm, path);
      try {
        names.items.push(...fs.readdirSync(directory).map(toBytes));
      } catch (error) {
        panic(`cannot open directory ${path}: ${reason(error)}`);
      }
      return names;
    },
  );
  core.cfun(
    "os/mkdir",
    1,
    1,
    "(os/mkdir path)",
    "Makes a directory; false when there is one already.",
    (args, vm) => {
      const path = cstringAt(args, 0);
      const target = writable(vm, path);
      try {
        fs.mkdirSync(target);
        return true;
      } catch (error) {
        return codeOf(error) === "EEXIST" ? false : panic(`${reason(error)}: ${path}`);
      }
    },
  );
  core.cfun("os/rmdir", 1, 1, "(os/rmdir path)", "Removes an empty directory.", (args, vm) =>
    change(args, (path) => fs.rmdirSync(writable(vm, path, named))),
  );
  core.cfun("os/rm", 1, 1, "(os/rm path)", "Removes a file.", (args, vm) =>
    change(args, (path) => fs.unlinkSync(writable(vm, path, named))),
  );
  core.cfun(
    "os/rename",
    2,
    2,
    "(os/rename oldname newname)",
    "Renames a file or directory, over one that stands there.",
    (args, vm) => {
      const to = cstringAt(args, 1);
      return change(args, (path) => fs.renameSync(writable(vm, path, named), writable(vm, to, named)));
    },
  );
  core.cfun(
    "os/link",
    2,
    3,
    "(os/link oldpath newpath &opt symlink)",
    "Makes a second name of a file, or with `symlink` a link to it.",
    (args, vm) => {
      const path = cstringAt(args, 0);
      const to = writable(vm, cstringAt(args, 1), named);
      if (truthy(args[2] ?? null)) return change(args, () => fs.symlinkSync(toText(path), to));
      return change(args, () => fs.linkSync(writable(vm, path, named), to));
    },
  );
  core.cfun(
    "os/symlink",
    2,
    2,
    "(os/symlink oldpath newpath)",
    "Makes a link at newpath that leads to oldpath.",
    (args, vm) => {
      const to = writable(vm, cstringAt(args, 1), named);
      return change(args, (path) => fs.symlinkSync(toText(path), to));
    },
  );
  core.cfun("os/readlink", 1, 1, "(os/readlink path)", "Where a link leads.", (args, vm) => {
    const path = cstringAt(args, 0);
    return attempt(path, () => toBytes(fs.readlinkSync(readable(vm, path, named))));
  });
  core.cfun(
    "os/realpath",
    1,
    1,
    "(os/realpath path)",
    "The absolute path of a file that exists, without links in it.",
    (args, vm) => {
      const path = cstringAt(args, 0);
      readable(vm, path);
      return attempt(path, () => toBytes(fs.realpathSync.native(resolve(vm.host.cwd, toText(path)))));
    },
  );
  core.cfun("os/chmod", 2, 2, "(os/chmod path mode)", "Sets the permissions of a file.", (args, vm) => {
    const mode = modeAt(args, 1);
    return change(args, (path) => fs.chmodSync(writable(vm, path), mode));
  });
  core.cfun(
    "os/touch",
    1,
    3,
    "(os/touch path &opt actime modtime)",
    "Sets when a file was last read and changed: now, unless given in seconds.",
    (args, vm) => {
      const now = Date.now() / 1_000;
      const read = (args[1] ?? null) === null ? now : numberAt(args, 1);
      const changed = (args[2] ?? null) === null ? read : numberAt(args, 2);
      return change(args, (path) => fs.utimesSync(writable(vm, path), read, changed));
    },
  );
  core.cfun(
    "os/umask",
    1,
    1,
    "(os/umask mask)",
    "Sets which permissions new files go without; the former mask.",
    (args, vm) => {
      const mask = integerAt(args, 0) === args[0] ? modeAt(args, 0) : 0;
      writable(vm, ".");
      return process.umask(mask);
    },
  );
}

function change(args: readonly Value[], work: (path: string) => void): Value {
  const path = cstringAt(args, 0);
  attempt(path, () => work(path));
  return null;
}

/** In the order in which Janet's table is filled. */
const factOf: Record<string, (stat: fs.Stats) => Value> = {
  dev: (stat) => stat.dev,
  inode: (stat) => stat.ino,
  mode: (stat) => kw(modeOf(stat)),
  "int-permissions": (stat) => stat.mode & 0o777,
  permissions: (stat) => permissionText(stat.mode),
  uid: (stat) => stat.uid,
  gid: (stat) => stat.gid,
  nlink: (stat) => stat.nlink,
  rdev: (stat) => stat.rdev,
  size: (stat) => stat.size,
  blocks: (stat) => stat.blocks,
  blocksize: (stat) => stat.blksize,
  accessed: (stat) => Math.floor(stat.atimeMs / 1_000),
  modified: (stat) => Math.floor(stat.mtimeMs / 1_000),
  changed: (stat) => Math.floor(stat.ctimeMs / 1_000),
};

function modeOf(stat: fs.Stats): string {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "directory";
  if (stat.isFIFO()) return "fifo";
  if (stat.isBlockDevice()) return "block";
  if (stat.isSocket()) return "socket";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isCharacterDevice()) return "character";
  return "other";
}

function facts(args: readonly Value[], read: () => fs.Stats): Value {
  const wanted = args[1] ?? null;
  if (wanted !== null && !(wanted instanceof Kw) && !(wanted instanceof Table)) badSlot(args, 1, "table");
  const fact = wanted instanceof Kw && Object.hasOwn(factOf, wanted.name) ? factOf[wanted.name] : undefined;
  if (wanted instanceof Kw && !fact) panic(`unexpected keyword ${show(wanted)}`);
  let stat: fs.Stats;
  try {
    stat = read();
  } catch (error) {
    if (codeOf(error) !== "") return null;
    throw error;
  }
  if (fact) return fact(stat);
  const table = wanted instanceof Table ? wanted : new Table();
  for (const [name, value] of Object.entries(factOf)) table.put(kw(name), value(stat));
  return table;
}
