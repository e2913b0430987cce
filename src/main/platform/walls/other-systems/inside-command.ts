import type { Command } from "../walled.ts";

/** The shell that commands of the library are run by, outside and inside of a sandbox. */
export const shell = "/bin/bash";

/** Where the programs are that make a sandbox. What the plugin's own `PATH` says must not count for them. */
const toolPath = "/usr/bin:/bin:/usr/sbin:/sbin";

/**
 * A shell whose input is a socket, as it is when Node writes to it, takes itself for one of a remote login and reads the
 * person's `.bashrc`: not when it is told that other shells are above it.
 */
const shellsAbove = { SHLVL: "8" };

/** Beginning of the names under which variables come in. They count inside alone: some change what a shell or loader does. */
const carrier = "WALLED_";

/** What Node adds to the environment of a child that it exchanges messages with. */
const ofNode = "NODE_CHANNEL_*";

/** What a shell can hand on. Others have no way in: a shell drops them or, worse, takes them for functions. */
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface InsideNeeds extends Omit<Command, "cwd"> {
  /** Variables that end with the number of a port, which is known when the command is made. */
  withPort?: Readonly<Record<string, string>>;
}

/**
 * The command line that becomes a program inside of a sandbox, for a port, and the environment to start the sandbox with.
 * Values do not stand in the command line, which other programs can see. Inside, the program has the environment that it was
 * given, and nothing of what the library adds.
 */
export function insideCommand({ file, args, env, withPort = {} }: InsideNeeds): {
  line(port: number): string;
  env: Record<string, string>;
} {
  const variables = Object.entries({ ...env, ...withPort }).filter(([name]) => plainName.test(name));
  const carried = variables.map(([name, value], at) => ({ name, value, as: `${carrier}${at}` }));
  const program = [file, ...args].map(quoted).join(" ");
  const line = (port: number) =>
    [
      `for name in $(compgen -e); do case $name in ${carrier}*|${ofNode}) ;; *) unset "$name" ;; esac; done`,
      ...carried.map(
        ({ name, as }) => `export ${name}="\${${as}}${name in withPort ? port : ""}"; unset ${as}`,
      ),
      `exec ${program}`,
    ].join("; ");
  const outside = Object.fromEntries(carried.map(({ as, value }) => [as, value]));
  return { line, env: { PATH: toolPath, ...shellsAbove, ...outside } };
}

/**
 * A shell that waits for its command at a file descriptor. The library takes a moment to make the command; the process with
 * its pipes and its channel is there at once.
 */
export function waitingShell(descriptor: number): { file: string; args: string[] } {
  const script = `command=$(cat <&${descriptor}); exec ${descriptor}<&-; [ -n "$command" ] && eval "exec $command"; exit 1`;
  return { file: shell, args: ["--norc", "-c", script] };
}

/** A command for {@link waitingShell} that says why there is none, and fails. */
export function failing(why: string): string {
  return `/bin/sh -c ${quoted(`printf '%s\\n' ${quoted(why)} >&2; exit 1`)}`;
}

/** What the shell said when it could not become the program: 127 means that it is not there, 126 that it may not be run. */
export function failedExec(file: string, code: number | null, said: string): "ENOENT" | "EACCES" | null {
  if (code !== 126 && code !== 127) return null;
  const its = said.split("\n").some((line) => line.startsWith(`${shell}: `) && line.includes(`${file}: `));
  if (!its) return null;
  return code === 127 ? "ENOENT" : "EACCES";
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
