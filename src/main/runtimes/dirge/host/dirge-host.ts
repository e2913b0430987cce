import { JanetError } from "@patchbay/janet";
import type { PluginEffect } from "@patchbay/plugin-sdk";
import type { DialogAnswer, ErrorCode } from "../../../../contract/index.ts";
import { flushOutput } from "../../hosted/node/ending.ts";
import { HostError, problemOf } from "../../hosted/node/host-error.ts";
import type { HostPort } from "../../hosted/node/port.ts";
import { currentCall, Requests } from "../../hosted/node/requests.ts";
import { residentMemory } from "../../hosted/node/resident-memory.ts";
import type { TellRefused } from "../../hosted/node/walls/denials.ts";
import type { HookAnswer } from "../hooks/host-answer.ts";
import { CallState, type Doing } from "./call-state.ts";
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

/** Most characters of one report of how far a tool is. */
const MOST_PROGRESS = 64 * 1024;

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
  readonly #refused: TellRefused;
  readonly #errors = new ToldErrors();
  #plugin: LoadedPlugin | undefined;
  /** The hook that failed last, while that is what the plugin's state says. */
  #failed: string | null = null;
  /** What the app knows of what is registered. */
  #told = 0;

  /** @param refused told of what the engine refuses to the plugin */
  constructor(port: HostPort<DirgePayloads>, refused: TellRefused) {
    this.#port = port;
    this.#refused = refused;
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
      refused: this.#refused,
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
    const progress = (text: string) =>
      this.#port.post({ t: "progress", id, text: text.slice(0, MOST_PROGRESS) });
    const state = new CallState(id, doingOf(call), {
      ...(call.kind === "hook" && { hook: call.hookId }),
      ...(call.kind === "tool" && { progress }),
    });
    try {
      if (!this.#plugin) throw new HostError("PLUGIN_NOT_RUNNING", "The plugin has not started.");
      const { value, effects } = await this.#answer(this.#plugin, state, call);
      this.#tellRegistered(this.#plugin);
      this.#port.post({ t: "result", id, value, ...some(effects) });
    } catch (error) {
      const problem = problemOf(inWords(error), failureCodes[call.kind] ?? "CALL_UNSUPPORTED");
      this.#port.post({ t: "error", id, problem, ...some(state.asked()) });
    }
  }

  async #answer(plugin: LoadedPlugin, state: CallState, call: HostCall): Promise<Answer> {
    const withEffects = (value: unknown): Answer => ({ value, effects: state.asked() });
    switch (call.kind) {
      case "hook":
        if (call.hookId === PREPARE) {
          const args = await plugin.prepare(state, call.payload as PreparePayload);
          return { value: args === null ? {} : { args }, effects: [] };
        }
        return this.#hook(plugin, state, call.hookId, call.payload as HookPayload);
      case "tool":
        return withEffects({ content: [{ type: "text", text: await plugin.tool(state, call) }] });
      case "command":
        return withEffects(await plugin.command(state, call.name, call.args));
      case "shortcut":
        return withEffects(await plugin.shortcut(state, call.shortcut));
      default:
        throw new HostError("CALL_UNSUPPORTED", `A plugin of dirge has nothing for a ${call.kind} call.`);
    }
  }

  /** The hook's answer. An error of the plugin is a part of it, with what the hook had left before. */
  async #hook(plugin: LoadedPlugin, state: CallState, hook: string, payload: HookPayload): Promise<Answer> {
    const answer: HookAnswer = { returned: null, error: null, left: state.left };
    const shown: PluginEffect[] = [];
    try {
      answer.returned = await plugin.hook(state, hook, payload);
      if (answer.returned !== null && (hook === "on-prompt" || hook === "on-response"))
        shown.push({ kind: "notify", text: answer.returned, level: "info" });
      shown.push(...this.#errors.went());
      if (this.#failed === hook) this.#report(null, hook);
    } catch (error) {
      const said = saidBy(error);
      if (said === null) throw error;
      answer.error = said;
      const oneLine = said.replaceAll("\t", " ").replaceAll("\n", " | ");
      const text = `The hook ${hook} (${plugin.hooks.get(hook) ?? hook}) failed: ${oneLine}`;
      this.#port.post({ t: "log", level: "warn", text, during: state.id });
      this.#report(text, hook);
      shown.push(...this.#errors.failed(text));
    }
    const effects = [...state.asked(), ...shown];
    return { value: answer, effects: hook === "on-init" ? this.#logged(effects) : effects };
  }

  /** Without notices, which become lines of the log: there is no conversation yet in which they could be shown. */
  #logged(effects: readonly PluginEffect[]): PluginEffect[] {
    return effects.filter((effect) => {
      if (effect.kind !== "notify") return true;
      this.#port.post({ t: "log", level: effect.level, text: effect.text });
      return false;
    });
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

function doingOf({ kind, ...call }: HostCall): Doing {
  if (kind === "hook") return "hookId" in call && call.hookId === PREPARE ? "prepare" : "hook";
  return kind === "tool" || kind === "shortcut" ? kind : "command";
}

function some(effects: PluginEffect[]): { effects?: PluginEffect[] } {
  return effects.length > 0 ? { effects } : {};
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
