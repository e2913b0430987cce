import { constants } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join, sep } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";

/** The kind of a program file, as its first bytes show it. */
export type ProgramKind =
  | { kind: "script"; interpreter: string; crlf: boolean }
  | { kind: "wasm" }
  /** A compiled program. `misfit`: the other system that it was compiled for; null when it fits this one. */
  | { kind: "binary"; misfit: string | null }
  /** A text without `#!` line, which the shell runs. */
  | { kind: "text" };

const HEAD = 4_096;

/** Looks at the first bytes of a program. @throws the error of the file system */
export async function sniffProgram(file: string): Promise<ProgramKind> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(HEAD);
    const { bytesRead } = await handle.read(buffer, 0, HEAD, 0);
    return kindOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The kind of a program from the first bytes of its file, judged for one system and processor. */
export function kindOf(
  head: Buffer,
  system: { platform: string; arch: string } = { platform: process.platform, arch: process.arch },
): ProgramKind {
  if (head.subarray(0, 2).toString("latin1") === "#!") {
    const line = head.toString("utf8").split("\n", 1)[0] ?? "";
    return { kind: "script", interpreter: line.slice(2).trim(), crlf: line.endsWith("\r") };
  }
  if (head.subarray(0, 4).equals(Buffer.from("\0asm", "latin1"))) return { kind: "wasm" };
  const built = builtFor(head);
  if (!built) return { kind: "text" };
  const fits =
    built.platforms.includes(system.platform) && (built.archs === null || built.archs.includes(system.arch));
  return { kind: "binary", misfit: fits ? null : built.name };
}

interface Built {
  name: string;
  platforms: string[];
  /** Null when the file does not say. */
  archs: string[] | null;
}

const elfMachines: Record<number, string> = { 3: "ia32", 40: "arm", 62: "x64", 183: "arm64", 243: "riscv64" };
const machCpus: Record<number, string> = { 16777223: "x64", 16777228: "arm64" };
const peMachines: Record<number, string> = { 332: "ia32", 34404: "x64", 43620: "arm64" };

function builtFor(head: Buffer): Built | null {
  if (head.length >= 20 && head.readUInt32BE(0) === 0x7f454c46) {
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
    const arch = elfMachines[machine];
    return {
      name: `Linux (${arch ?? `machine ${machine}`})`,
      platforms: ["linux", "freebsd"],
      archs: arch ? [arch] : [],
    };
  }
  if (head.length >= 8 && head.readUInt32LE(0) === 0xfeedfacf) {
    const arch = machCpus[head.readUInt32LE(4)];
    // Apple's own translation runs Intel programs on its newer machines.
    const archs = arch === "x64" ? ["x64", "arm64"] : arch ? [arch] : [];
    return { name: `macOS (${arch ?? "an unknown processor"})`, platforms: ["darwin"], archs };
  }
  // 0xcafebabe is a Java class, too; those have a version above 40 where this has a small count.
  if (head.length >= 8 && head.readUInt32BE(0) === 0xcafebabe && head.readUInt32BE(4) < 40) {
    return { name: "macOS", platforms: ["darwin"], archs: null };
  }
  if (head.length >= 64 && head.subarray(0, 2).toString("latin1") === "MZ") {
    const at = head.readUInt32LE(60);
    const arch = at + 6 <= head.length ? peMachines[head.readUInt16LE(at + 4)] : undefined;
    return {
      name: `Windows${arch ? ` (${arch})` : ""}`,
      platforms: ["win32"],
      archs: arch ? [arch, ...(arch === "arm64" ? [] : ["arm64"])] : null,
    };
  }
  return null;
}

/**
 * Checks the program of a command: it must be an executable file inside the plugin's folder, compiled for this system,
 * or a script whose interpreter is installed.
 *
 * @param path the search path of programs
 * @returns its real path
 * @throws PatchbayError PROGRAM_MISSING, UNSAFE_PACKAGE
 */
export async function checkProgram(dir: string, binary: string, path: string): Promise<string> {
  const file = await findProgram(dir, binary);
  const program = await sniffProgram(file);
  if (program.kind === "wasm") {
    throw missing(
      `${binary} is a WebAssembly module, but the plugin does not say \`runtime = "wasm"\`.`,
      "Its author must correct the plugin.toml.",
    );
  }
  if (program.kind === "binary" && program.misfit) {
    throw missing(
      `${binary} was built for ${program.misfit}, and this is ${process.platform} (${process.arch}).`,
      "Ask the plugin's author for a build for your system, or build it from its source.",
    );
  }
  if (program.kind === "script") await checkInterpreter(binary, program, path);
  return file;
}

/** @throws PatchbayError PROGRAM_MISSING, UNSAFE_PACKAGE */
export async function findProgram(dir: string, binary: string): Promise<string> {
  const windowsName = process.platform === "win32" ? [`${binary}.exe`] : [];
  for (const name of [binary, ...windowsName]) {
    const file = await realpath(join(dir, name)).catch(() => null);
    if (file === null) continue;
    const root = await realpath(dir);
    if (!file.startsWith(root + sep)) {
      throw new PatchbayError("UNSAFE_PACKAGE", `The program ${binary} leads out of the plugin's folder.`);
    }
    if (!(await stat(file)).isFile())
      throw missing(`${binary} is not a file.`, "Its author must correct the plugin.toml.");
    return file;
  }
  throw missing(
    `The program ${binary} is not in the plugin's folder.`,
    "If it has to be built first, install the plugin again and allow its build.",
  );
}

/** A program on the search path; null when there is none. */
export async function lookUp(program: string, path: string): Promise<string | null> {
  for (const folder of isAbsolute(program) ? [""] : path.split(delimiter)) {
    if (folder === "" && !isAbsolute(program)) continue;
    const file = folder === "" ? program : join(folder, program);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return null;
}

async function checkInterpreter(
  binary: string,
  script: { interpreter: string; crlf: boolean },
  path: string,
) {
  if (process.platform === "win32") return;
  if (script.crlf) {
    throw missing(
      `${binary} has Windows line ends, so its first line names a program that does not exist (${script.interpreter}\\r).`,
      "Its author must save it with Unix line ends.",
    );
  }
  const wanted = interpreterOf(script.interpreter);
  if (wanted === null || (await lookUp(wanted, path)) !== null) return;
  if (isAbsolute(wanted)) {
    throw missing(
      `${binary} is run by ${wanted}, and there is no such program.`,
      `Install it at that place, or ask the plugin's author to write \`#!/usr/bin/env ${basename(wanted)}\`, which looks for it.`,
    );
  }
  throw missing(
    `${binary} needs ${basename(wanted)}, which is not on this machine.`,
    `Install ${basename(wanted)}, then try again. Looked for in: ${path}.`,
  );
}

/** The program that a `#!` line asks for. */
export function interpreterOf(line: string): string | null {
  const words = line.split(/\s+/).filter((word) => word !== "");
  const [first] = words;
  if (first === undefined) return null;
  if (basename(first) !== "env") return first;
  return words.slice(1).find((word) => !word.startsWith("-") && !word.includes("=")) ?? null;
}

function missing(message: string, help: string): PatchbayError {
  return new PatchbayError("PROGRAM_MISSING", message, { help });
}
