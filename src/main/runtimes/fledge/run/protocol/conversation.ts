import type { LogLevel } from "../../../../../contract/index.ts";
import { execCommand } from "../exec.ts";
import { cleanText } from "../output/clean-text.ts";
import type { RunOutput } from "../output/run-output.ts";
import type { RunRequest } from "../run-request.ts";
import { answerQuestion } from "./answers.ts";
import type { Outbound } from "./messages.ts";
import { readMetadata } from "./metadata.ts";

const LONGEST_LOG = 4_000;
/** Most warnings of one run that are logged; the rest is dropped, and one line says so. */
const MOST_WARNINGS = 20;

/** Carries out the messages of a plugin, both those of programs and those of wasm modules. */
export class Conversation {
  readonly #request: RunRequest;
  readonly #output: RunOutput;
  /** Ends what is under way for the plugin: a question, a command. */
  readonly #signal: AbortSignal;
  #warnings = 0;
  #lastProgress = "";

  constructor(request: RunRequest, output: RunOutput, signal: AbortSignal) {
    this.#request = request;
    this.#output = output;
    this.#signal = signal;
  }

  /**
   * Does what a message asks for. A promise when that takes time; `{value}` is the reply to a request, undefined for
   * a message that gets none.
   *
   * @throws PatchbayError when a question cannot be answered: the run has failed then
   */
  handle(message: Outbound): Promise<{ value: unknown } | undefined> | undefined {
    switch (message.type) {
      case "output":
        this.#output.output(message.text);
        return undefined;
      case "log":
        this.#log(message.level, message.message);
        return undefined;
      case "progress":
        this.#progress(message);
        return undefined;
      case "store":
        return this.#store(message.key, message.value);
      default:
        return this.#reply(message).then((value) => ({ value }));
    }
  }

  /** Logs a warning of Patchbay's about the plugin's messages. */
  warn(text: string): void {
    this.#warnings += 1;
    if (this.#warnings <= MOST_WARNINGS) this.#request.log("warn", text.slice(0, LONGEST_LOG), "patchbay");
    else if (this.#warnings === MOST_WARNINGS + 1)
      this.#request.log("warn", "Further warnings of this run are left out.", "patchbay");
  }

  async #reply(
    message: Exclude<Outbound, { type: "output" | "log" | "progress" | "store" }>,
  ): Promise<unknown> {
    const { grants, store, root, env, cells } = this.#request;
    switch (message.type) {
      case "prompt":
      case "confirm":
      case "select":
      case "multi_select":
        return answerQuestion(message, this.#request.asking(this.#signal));
      case "load":
        return grants.store ? store.load(message.key) : null;
      case "exec":
        return grants.exec ? this.exec(message) : notGranted("exec");
      case "metadata":
        if (grants.metadata) return readMetadata(message.keys, root, env, cells.git);
        this.warn("The plugin asked for metadata without the capability; it got nothing.");
        return Object.fromEntries(message.keys.map((key) => [key, null]));
    }
  }

  exec(message: { command: string; cwd?: string | null; timeout?: number | null }) {
    const { root, plugin, env, cells } = this.#request;
    this.#request.log("info", `Runs: ${cleanText(message.command).slice(0, LONGEST_LOG)}`, "patchbay");
    return execCommand({
      command: message.command,
      cwd: message.cwd,
      timeout: message.timeout,
      projectRoot: root,
      pluginDir: plugin.dir,
      env,
      cell: cells.exec,
      signal: this.#signal,
    });
  }

  async #store(key: string, value: string): Promise<undefined> {
    const { grants, store } = this.#request;
    const refusal = grants.store ? await store.store(key, value) : "the plugin has not got the capability";
    if (refusal) this.warn(`“${cleanText(key).slice(0, 100)}” was not kept: ${refusal}.`);
  }

  #log(level: string, text: string): void {
    const known = (["debug", "info", "warn", "error"] as const).find((name) => name === level.toLowerCase());
    const clean = cleanText(text).slice(0, LONGEST_LOG);
    this.#request.log(known ?? "info", known ? clean : `${cleanText(level)}: ${clean}`, "plugin");
    if (isComplaint(known)) this.#output.complaint(known, clean);
  }

  #progress(message: Extract<Outbound, { type: "progress" }>): void {
    if (message.done) return;
    const text = cleanText(message.message ?? "Working").slice(0, 500);
    const { current, total } = message;
    const counted = typeof current === "number" && typeof total === "number";
    const shown = counted ? `${text} (${current}/${total})` : text;
    if (shown === this.#lastProgress) return;
    this.#lastProgress = shown;
    this.#request.progress(shown);
  }
}

function isComplaint(level: LogLevel | undefined): level is "warn" | "error" {
  return level === "warn" || level === "error";
}

function notGranted(capability: string) {
  return { code: 126, stdout: "", stderr: `${capability} capability not granted` };
}
