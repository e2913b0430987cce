import { hostEnvironment } from "./host-environment.ts";
import { Program } from "./program.ts";

const PATIENCE_MS = 5_000;
const MOST = 1024 * 1024;
const MARK = "__patchbay_path__";

/**
 * The search path of the person's login shell. An app that was started from a dock or a menu has a shorter one, in
 * which python3, node or gh are not found. Asked once; the app's own path when the shell does not answer.
 */
export class LoginPath {
  readonly #source: NodeJS.ProcessEnv;
  #path: Promise<string> | undefined;

  constructor(source: NodeJS.ProcessEnv = process.env) {
    this.#source = source;
  }

  get(): Promise<string> {
    this.#path ??= this.#read();
    return this.#path;
  }

  async #read(): Promise<string> {
    const own = this.#source.PATH ?? "";
    const shell = this.#source.SHELL;
    if (process.platform === "win32" || !shell) return own;
    const script = `printf '%s%s%s' '${MARK}' "$PATH" '${MARK}'`;
    const asked = await askShell({ shell, script, mark: MARK }, this.#source).catch(() => null);
    return joined(asked ?? "", own);
  }
}

/** Both search paths, the first one's folders first, each folder once. */
function joined(first: string, second: string): string {
  return [...new Set(`${first}:${second}`.split(":"))].filter((folder) => folder.startsWith("/")).join(":");
}

/**
 * What a person's login shell prints for a script, between two marks, because shells greet as well.
 *
 * @param mark stands at both ends of what the script prints
 * @returns null when the shell prints no marks, or not within five seconds
 */
export async function askShell(
  { shell, script, mark }: { shell: string; script: string; mark: string },
  source: NodeJS.ProcessEnv,
): Promise<string | null> {
  const child = new Program({
    file: shell,
    args: ["-lc", script],
    cwd: "/",
    env: hostEnvironment(source),
    input: false,
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    if (text.length < MOST) text += piece;
  });
  child.stderr.resume();
  child.signalAfter(PATIENCE_MS, "SIGKILL");
  await child.ended;
  return text.split(mark)[1] ?? null;
}
