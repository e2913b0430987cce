import { JanetError } from "@patchbay/janet";
import type { PluginEffect } from "@patchbay/plugin-sdk";
import type { DialogAnswer, ErrorCode } from "../../../../contract/index.ts";
import { flushOutput } from "../../hosted/node/ending.ts";
import { HostError, problemOf } from "../../hosted/node/host-error.ts";
import type { HostPort } from "../../hosted/node/port.ts";
import { currentCall, Requests } from "../../hosted/node/requests.ts";
import { residentMemory } from "../../hosted/node/resident-memory.ts";
import type { HookAnswer } from "../hooks/host-answer.ts";
import { TooLong, wordsOf } from "./plugin/engine.ts";
import { LoadError } from "./plugin/load-error.ts";
import { LoadedPlugin } from "./plugin/plugin.ts";
import {
  type DirgePayloads,
  type DirgeStart,
  type HookPayload,
  type HostCall,
  PREPARE,
  type PreparePayload,
  type ToHost,
} from "./protocol.ts";
import { ToldErrors } from "./told-errors.ts";

/** What goes back for a call. */
interface Answer {
  value: unknown;
  effects: PluginEffect[];
}

const failureCodes: Partial<Record<HostCall["kind"], ErrorCode>> = {
  tool: "TOOL_FAILED",
  hook: "HOOK_FAILED",
  command: "COMMAND_FAILED",
  shortcut: "COMMAND_FAILED",
};

/** One plugin of dirge in this process: answers the app's messages. */
export class DirgeHost {
  readonly #port: HostPort<DirgePayloads>;
  readonly #requests: Requests;
  readonly #errors = new ToldErrors();
  #plugin: LoadedPlugin | undefined;
  /** The hook that failed last, while that is what the plugin's state says. */
  #failed: string | null = null;
  /** What the app knows of what is registered. */
  #told = 0;

  constructor(port: HostPort<DirgePayloads>) {
    this.#port = port;
    this.#requests = new Requests(port);
  }

  handle(message: ToHost): void {
    switch (message.t) {
      case "start":
        void this.#start(message.start);
        break;
      case "call":
        void this.#call(message.id, message.call);
        break;
      case "answer":
        this.#requests.answer(message.id, message.value);
        break;
      case "refusal":
        this.#requests.refuse(message.id, message.problem);
        break;
      case "ping":
        this.#port.post({ t: "pong", id: message.id, memoryBytes: residentMemory() });
        break;
      case "stop":
        void this.#stop();
        break;
      // A call that was given up ends by itself, at its time limit at the latest: code of the plugin may hold something then.
      case "abort":
      case "delta":
      case "approvalAsked":
      case "approvalSettled":
      case "people":
      case "language":
      case "setup":
      case "inspect":
        break;
    }
  }

  async #start(start: DirgeStart): Promise<void> {
    const plugin = new LoadedPlugin(start, {
      ask: (question, during) => this.#ask(question, during),
      code: (request) => this.#requests.send(request),
      log: (level, text, during, output) =>
        this.#port.post({ t: "log", level, text, during, ...(output && { output }) }),
    });
    try {
      await plugin.load();
      this.#plugin = plugin;
      this.#told = plugin.registrations.version;
      this.#port.post({ t: "started", contributions: plugin.contributions });
    } catch (error) {
      this.#port.post({ t: "failed", problem: startProblem(error) });
    }
  }

  async #stop(): Promise<void> {
    this.#plugin?.end();
    await flushOutput();
    this.#port.post({ t: "stopped" });
  }

  async #call(id: number, call: HostCall): Promise<void> {
    try {
      if (!this.#plugin) throw new HostError("PLUGIN_NOT_RUNNING", "The plugin has not started.");
      const { value, effects } = await this.#answer(this.#plugin, id, call);
      this.#tellRegistered(this.#plugin);
      this.#port.post({ t: "result", id, value, ...(effects.length > 0 && { effects }) });
    } catch (error) {
      const problem = problemOf(inWords(error), failureCodes[call.kind] ?? "CALL_UNSUPPORTED");
      this.#port.post({ t: "error", id, problem });
    }
  }

  async #answer(plugin: LoadedPlugin, id: number, call: HostCall): Promise<Answer> {
    switch (call.kind) {
      case "hook":
        if (call.hookId === PREPARE) {
          const args = await plugin.prepare(id, call.payload as PreparePayload);
          return { value: args === null ? {} : { args }, effects: [] };
        }
        return this.#hook(plugin, id, call.hookId, call.payload as HookPayload);
      case "tool": {
        const progress = (text: string) =>
          this.#port.post({ t: "progress", id, text: text.slice(0, 65_536) });
        const { state, value } = await plugin.tool(id, call, progress);
        return { value: { content: [{ type: "text", text: value }] }, effects: state.asked() };
      }
      case "command": {
        const { state, value } = await plugin.command(id, call.name, call.args);
        return { value: value ?? "", effects: state.asked() };
      }
      case "shortcut": {
        const { state, value } = await plugin.shortcut(id, call.shortcut);
        return { value: value ?? "", effects: state.asked() };
      }
      default:
        throw new HostError("CALL_UNSUPPORTED", `A plugin of dirge has nothing for a ${call.kind} call.`);
    }
  }

  /** The hook's answer. An error of the plugin is a part of it, because some hooks go on then. */
  async #hook(plugin: LoadedPlugin, id: number, hook: string, payload: HookPayload): Promise<Answer> {
    const name = plugin.hooks.get(hook) ?? hook;
    try {
      const { state, value } = await plugin.hook(id, hook, payload);
      const shown: PluginEffect[] =
        value !== null && (hook === "on-prompt" || hook === "on-response")
          ? [{ kind: "notify", text: value, level: "info" }]
          : [];
      const answer: HookAnswer = { returned: value, error: null, left: state.left };
      const effects = [...shown, ...state.asked(), ...this.#errors.went()];
      if (this.#failed === hook) this.#report(null, hook);
      return { value: answer, effects };
    } catch (error) {
      const said = saidBy(error);
      if (said === null) throw error;
      const text = `The hook ${hook} (${name}) failed: ${said.replaceAll("\t", " ").replaceAll("\n", " | ")}`;
      this.#port.post({ t: "log", level: "warn", text, during: id });
      this.#report(text, hook);
      const answer: HookAnswer = { returned: null, error: said, left: {} };
      return { value: answer, effects: this.#errors.failed(text) };
    }
  }

  async #ask(question: Parameters<LoadedAsk>[0], during: number | null): Promise<DialogAnswer> {
    const send = () => this.#requests.send({ kind: "ask", question });
    try {
      return (await (during === null ? send() : currentCall.run(during, send))) as DialogAnswer;
    } catch {
      // Nobody can be asked, which is no answer.
      return null;
    }
  }

  /** The plugin's state says what failed last, until the same hook goes well. */
  #report(message: string | null, hook: string): void {
    this.#failed = message === null ? null : hook;
    this.#port.post({ t: "runtimeError", message });
  }

  /** Tells the app what has been registered since it was last told. */
  #tellRegistered(plugin: LoadedPlugin): void {
    const { version } = plugin.registrations;
    if (version === this.#told) return;
    this.#told = version;
    this.#port.post({ t: "contributions", changed: plugin.contributions });
  }
}

type LoadedAsk = ConstructorParameters<typeof LoadedPlugin>[1]["ask"];

/** What an error of plugin code says; null for what is no such error. */
function saidBy(error: unknown): string | null {
  if (error instanceof JanetError) return wordsOf(error);
  return error instanceof TooLong ? "it took too long" : null;
}

function inWords(error: unknown): unknown {
  const said = saidBy(error);
  return said === null ? error : new Error(said);
}

function startProblem(error: unknown) {
  if (!(error instanceof LoadError)) return problemOf(inWords(error), "START_FAILED");
  const { message, file, line, said, form } = error;
  const details = { file, line, said, ...(form !== null && { form }) };
  const help = "Its author must correct it; what stands before it in the file was run.";
  return problemOf(new HostError("START_FAILED", message, details, help), "START_FAILED");
}
