import { win32 } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { interpreterOf, type ProgramKind } from "../manifest/program-file.ts";

/**
 * How a program is started: a file that the system can run directly, and the arguments that come before the plugin's
 * own.
 */
export interface Launch {
  file: string;
  args: readonly string[];
  /**
   * Set for a batch file of Windows: its arguments are put into one command line, which must be passed on unchanged.
   */
  batch?: true;
}

/** The machine that a program is started on. Tests give one of their own. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** The full path of a program on the search path, or null. */
  find(name: string): Promise<string | null>;
}

/**
 * Finds out how to start the program of a command. Other systems read the `#!` line of a script and run its
 * interpreter; Windows does not, so the interpreter is looked up here, and batch files are run through `cmd`.
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
 * The arguments of a launch, followed by those of a call.
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
      // Git's own bash is tried by its path, because `bash.exe` on the search path may be that of the Linux subsystem,
      // which sees other paths.
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
