import { askShell } from "./ask-shell.ts";

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
