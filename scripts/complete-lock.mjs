/**
 * Completes package-lock.json after an install: adds the optional packages of other platforms (`@swc/core-darwin-arm64`, …) that npm
 * leaves out when a registry mirror does not have them yet. Without them `npm ci` refuses the lock file. `npm run lock` runs it.
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8"));
const added = [];

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (find(path, name)) continue;
    const platform = platformOf(name);
    const version = /^\d+\.\d+\.\d+\S*$/.exec(range)?.[0];
    if (!platform || !version) {
      console.error(
        `${name}@${range}, wanted by ${path}, is in no lock entry and names no platform. Add it by hand.`,
      );
      process.exitCode = 1;
      continue;
    }
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(entry.dev && { dev: true }),
      optional: true,
    };
    added.push(`${name}@${version}`);
  }
}

if (added.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(
  added.length === 0 ? "The lock file is complete." : `Added ${added.length}:\n  ${added.join("\n  ")}`,
);

/** Looks for a package the way Node does: beside the one that wants it, then further up. */
function find(from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("node_modules/") - 1))) {
    const path = base === "" ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (lock.packages[path]) return lock.packages[path];
    if (base === "") return undefined;
    if (!base.includes("node_modules/")) base = "";
  }
}

/** The platform in the name of a package with a binary, such as `darwin-arm64`. */
function platformOf(name) {
  const words = name.split("/").at(-1).split("-");
  const os = [
    "aix",
    "android",
    "darwin",
    "freebsd",
    "linux",
    "netbsd",
    "openbsd",
    "openharmony",
    "sunos",
    "win32",
  ].find((word) => words.includes(word));
  const cpu = [
    "x64",
    "arm64",
    "arm",
    "ia32",
    "ppc64",
    "s390x",
    "riscv64",
    "loong64",
    "mips64el",
    "wasm32",
  ].find((word) => words.includes(word));
  if (!os && !cpu) return undefined;
  const libc = words.some((word) => word.startsWith("musl"))
    ? ["musl"]
    : words.some((word) => word.startsWith("gnu"))
      ? ["glibc"]
      : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && os === "linux" && { libc }), ...(os && { os: [os] }) };
}
