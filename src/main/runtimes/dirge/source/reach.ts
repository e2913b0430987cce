import type { Reach } from "../details.ts";

/** What each name of Janet's library that leads outside of the engine reaches. Whatever is not here reaches nothing. */
const whole: Readonly<Record<string, Reach>> = {
  slurp: "readFiles",
  "file/read": "readFiles",
  "file/lines": "readFiles",
  "os/stat": "readFiles",
  "os/lstat": "readFiles",
  "os/dir": "readFiles",
  "os/realpath": "readFiles",
  "os/readlink": "readFiles",
  dofile: "readFiles",
  require: "readFiles",
  import: "readFiles",
  use: "readFiles",
  spit: "writeFiles",
  "file/write": "writeFiles",
  "file/temp": "writeFiles",
  "os/mkdir": "writeFiles",
  "os/rm": "writeFiles",
  "os/rmdir": "writeFiles",
  "os/rename": "writeFiles",
  "os/touch": "writeFiles",
  "os/chmod": "writeFiles",
  "os/link": "writeFiles",
  "os/symlink": "writeFiles",
  "os/execute": "subprocess",
  "os/spawn": "subprocess",
  "os/shell": "subprocess",
  "os/proc-wait": "subprocess",
  "os/posix-exec": "subprocess",
  "os/posix-fork": "subprocess",
  "harness/http-post": "network",
  "os/getenv": "environment",
  "os/setenv": "environment",
  "os/environ": "environment",
};

/** @returns null when the name reaches nothing outside */
export function reachOf(name: string): Reach | null {
  if (Object.hasOwn(whole, name)) return whole[name] ?? null;
  if (name.startsWith("harness/lsp")) return "readFiles";
  return name.startsWith("net/") ? "network" : null;
}

/** What a mode of `file/open` reaches. Without a mode it only reads. */
export function reachOfMode(mode: string | null): Reach[] {
  if (mode === null) return ["readFiles", "writeFiles"];
  const reaches: Reach[] = [];
  if (/[r+]/.test(mode)) reaches.push("readFiles");
  if (/[wa+]/.test(mode)) reaches.push("writeFiles");
  return reaches;
}

/** Names that make code of text or of data, behind which anything can stand. */
export const makesCode: ReadonlySet<string> = new Set([
  "eval",
  "eval-string",
  "compile",
  "parse",
  "parse-all",
  "load-image",
  "unmarshal",
  "run-context",
  "ffi/native",
  "native",
]);
