import { askShell } from "./login-path.ts";

const MARK = "__patchbay_environment__";

/**
 * The environment of the person's login shell, in which they keep what their other programs refer to. An app that was started
 * from a dock or a menu has less of it. Asked once; the app's own environment when the shell does not answer.
 */
export class LoginEnvironment {
  readonly #source: NodeJS.ProcessEnv;
  #asked: Promise<NodeJS.ProcessEnv> | undefined;

  constructor(source: NodeJS.ProcessEnv = process.env) {
    this.#source = source;
  }

  get(): Promise<NodeJS.ProcessEnv> {
    this.#asked ??= this.#read();
    return this.#asked;
  }

  async #read(): Promise<NodeJS.ProcessEnv> {
    const shell = this.#source.SHELL;
    if (process.platform === "win32" || !shell) return this.#source;
    const script = `printf '%s' '${MARK}'; env -0 2>/dev/null || env | tr '\\n' '\\0'; printf '%s' '${MARK}'`;
    const text = await askShell({ shell, script, mark: MARK }, this.#source).catch(() => null);
    const pairs = (text ?? "").split("\0").flatMap((line): [string, string][] => {
      const at = line.indexOf("=");
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    });
    return { ...Object.fromEntries(pairs), ...this.#source };
  }
}
