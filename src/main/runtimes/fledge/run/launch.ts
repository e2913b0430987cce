import { win32 } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { interpreterOf, type ProgramKind } from "../manifest/program-file.ts";

/** How a program is started: a file that the system runs by itself, and what stands before the plugin's arguments. */
export interface Launch {
  file: string;
  args: readonly string[];
  /** For a batch file: the arguments become part of one command line, which is passed on as it is. */
  batch?: true;
}

/** What is asked of a machine on the way. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** The full path of a program on the search path, or null. */
  find(name: string): Promise<string | null>;
}

/**
 * How the program of a command is started. Elsewhere the system reads the first line of a script; Windows does not, and
 * runs batch files only through its shell.
 *
 * @throws PatchbayError PROGRAM_MISSING when there is nothing that runs such a script
 */
export async function launchOf(program: string, kind: ProgramKind, machine: Machine): Promise<Launch> {
  if (machine.platform !== "win32") return { file: program, args: [] };
  if (/\.(?:cmd|bat)$/i.test(program)) {
    return { file: machine.env.ComSpec ?? "cmd.exe", args: ["/d", "/s", "/c", program], batch: true };
  }
  if (kind.kind === "binary" || kind.kind === "wasm") return { file: program, args: [] };
  const wanted = kind.kind === "script" ? interpreterOf(kind.interpreter) : "sh";
  const [file, ...before] = (await windowsInterpreter(wanted ?? "sh", machine)) ?? [];
  if (file === undefined) {
    const name = win32.basename(wanted ?? "sh");
    throw new PatchbayError(
      "PROGRAM_MISSING",
      `${win32.basename(program)} needs ${name}, which is not on this machine.`,
      {
        help:
          name === "sh" || name === "bash"
            ? "Install Git for Windows, then try again."
            : `Install ${name}, then try again.`,
      },
    );
  }
  return { file, args: [...before, program] };
}

/**
 * The arguments of a launch with those of a call behind them.
 * @throws PatchbayError ARGUMENTS_INVALID for what Windows' shell would not pass on to a batch file as it is
 */
export function argumentsOf(launch: Launch, argv: readonly string[]): string[] {
  if (!launch.batch) return [...launch.args, ...argv];
  const unsafe = argv.find((text) => /["%!^&|<>\r\n]/.test(text));
  if (unsafe !== undefined) {
    throw new PatchbayError(
      "ARGUMENTS_INVALID",
      `A batch file cannot take the argument ${JSON.stringify(unsafe)}: Windows gives one of its characters a meaning.`,
    );
  }
  const [program, ...switches] = [launch.args.at(-1) ?? "", ...launch.args.slice(0, -1)];
  const line = [program, ...argv].map((text) => `"${text}"`).join(" ");
  return [...switches, `"${line}"`];
}

async function windowsInterpreter(wanted: string, { env, find }: Machine): Promise<string[] | null> {
  const name = win32.basename(wanted).replace(/\.exe$/i, "");
  const first = async (...names: string[]): Promise<string | null> => {
    for (const one of names) {
      const found = await find(one);
      if (found !== null) return found;
    }
    return null;
  };
  const alone = (file: string | null) => (file === null ? null : [file]);
  switch (name) {
    case "sh":
    case "bash":
    case "dash": {
      // Not the one of the Linux subsystem in the system's folder: that one has another file system.
      const git = win32.join(env.ProgramFiles ?? "C:\\Program Files", "Git", "bin", "bash.exe");
      return alone(await first(git, "sh.exe", "bash.exe"));
    }
    case "python":
    case "python3": {
      const launcher = await find("py.exe");
      return launcher === null ? alone(await first("python3.exe", "python.exe")) : [launcher, "-3"];
    }
    default:
      return alone(await first(`${name}.exe`, wanted));
  }
}
