import type { ChannelPeople } from "@patchbay/plugin-sdk";
import type { ErrorCode } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { AskedEffects } from "../../hosted/node/asked-effects.ts";
import { flushOutput } from "../../hosted/node/ending.ts";
import { HostError, problemOf } from "../../hosted/node/host-error.ts";
import type { HostPort } from "../../hosted/node/port.ts";
import { currentCall, Requests } from "../../hosted/node/requests.ts";
import { residentMemory } from "../../hosted/node/resident-memory.ts";
import { denialsTold } from "../../hosted/node/walls/denials.ts";
import { answerTooLargeText, isSendable, MAX_ANSWER } from "../../hosted/size.ts";
import { describeExport } from "../manifest/manifest-facts.ts";
import { createLogger } from "./context/context.ts";
import { FollowedApprovals } from "./context/followed-approvals.ts";
import { FollowedNews } from "./context/followed-news.ts";
import { Reports } from "./context/reports.ts";
import { logStack } from "./log-stack.ts";
import { loadEntry } from "./plugin/load-entry.ts";
import { isThenable, unwrapCommonJs } from "./plugin/manifest.ts";
import { runCall, sendable } from "./plugin/run-call.ts";
import { findZod, needsZod, toJsonSchema } from "./plugin/schemas.ts";
import { type OpenedSetup, openSetup } from "./plugin/setup.ts";
import { type StartedPlugin, startPlugin } from "./plugin/start-plugin.ts";
import type { HostCall, HostSetup, HostSetupCall, HostStart, ToHost } from "./protocol.ts";

const FAILURE_CODES: Record<HostCall["kind"], ErrorCode> = {
  tool: "TOOL_FAILED",
  hook: "HOOK_FAILED",
  command: "COMMAND_FAILED",
  webhook: "PLUGIN_REPORTED",
  send: "PLUGIN_REPORTED",
  prompt: "CALL_UNSUPPORTED",
  resource: "CALL_UNSUPPORTED",
  shortcut: "COMMAND_FAILED",
  "setup.begin": "SETUP_FAILED",
  "setup.poll": "SETUP_FAILED",
  "setup.submit": "SETUP_FAILED",
  "setup.cancel": "SETUP_FAILED",
  "setup.check": "CONFIG_REFUSED",
};
const MAX_PROGRESS = 64 * 1024;

/** One plugin in this process: answers the app's messages. */
export class PluginHost {
  readonly #port: HostPort;
  readonly #requests: Requests;
  readonly #reports: Reports;
  readonly #approvals: FollowedApprovals;
  readonly #people: FollowedNews<ChannelPeople>;
  readonly #language: FollowedNews<string>;
  readonly #calls = new Map<number, AbortController>();
  #plugin: StartedPlugin | undefined;
  #setup: OpenedSetup | undefined;
  readonly #warn: (text: string) => void;
  #agentId = "";

  constructor(port: HostPort) {
    const logger = createLogger(port);
    this.#warn = logger.warn;
    this.#port = port;
    this.#requests = new Requests(port);
    this.#reports = new Reports(port, logger.warn);
    this.#approvals = new FollowedApprovals(logger.warn);
    this.#people = new FollowedNews("people", logger.warn);
    this.#language = new FollowedNews("the language", logger.warn);
  }

  handle(message: ToHost): void {
    switch (message.t) {
      case "call":
        this.#call(message.id, message.call);
        break;
      case "abort":
        this.#calls.get(message.id)?.abort(new HostError("ABORTED", "The call was stopped."));
        break;
      case "answer":
        this.#requests.answer(message.id, message.value);
        break;
      case "refusal":
        this.#requests.refuse(message.id, message.problem);
        break;
      case "delta":
        this.#requests.delta(message.id, message.text);
        break;
      case "approvalAsked":
        this.#approvals.asked(message.approval);
        break;
      case "approvalSettled":
        this.#approvals.settled(message.requestId, message.outcome);
        break;
      case "people":
        this.#people.changed(message.people);
        break;
      case "language":
        this.#language.changed(message.language);
        break;
      case "ping":
        this.#port.post({ t: "pong", id: message.id, memoryBytes: residentMemory() });
        break;
      case "start":
        void this.#start(message.start);
        break;
      case "setup":
        void this.#openSetup(message.setup);
        break;
      case "stop":
        void this.#stop(message.limitMs);
        break;
      case "inspect":
        void this.#inspect(message.inspect.dir);
        break;
    }
  }

  async #inspect(dir: string): Promise<void> {
    try {
      const module = await loadEntry(dir, "INSPECT_CRASHED");
      const facts = describeExport(await withPlainSchema(module, dir));
      // This process is killed right after its answer.
      await denialsTold();
      this.#port.post({ t: "inspected", facts });
    } catch (error) {
      await denialsTold();
      this.#port.post({ t: "failed", problem: problemOf(error, "INSPECT_CRASHED") });
    }
  }

  async #start(start: HostStart): Promise<void> {
    this.#agentId = start.agentId;
    try {
      this.#plugin = await startPlugin(start, {
        port: this.#port,
        requests: this.#requests,
        reports: this.#reports,
        approvals: this.#approvals,
        people: this.#people,
        language: this.#language,
        warn: createLogger(this.#port).warn,
      });
      this.#port.post({ t: "started", contributions: this.#plugin.contributions });
    } catch (error) {
      logStack(this.#port, "error", "The start", error);
      this.#port.post({ t: "failed", problem: problemOf(error, "START_FAILED") });
    }
  }

  async #openSetup(setup: HostSetup): Promise<void> {
    try {
      this.#setup = await openSetup(setup, { port: this.#port, requests: this.#requests });
      this.#port.post({ t: "setupReady", submits: this.#setup.submits });
    } catch (error) {
      logStack(this.#port, "error", "The setup", error);
      this.#port.post({ t: "failed", problem: problemOf(error, "START_FAILED") });
    }
  }

  async #stop(limitMs: number): Promise<void> {
    await this.#plugin?.stop(limitMs);
    this.#reports.flush();
    await flushOutput();
    this.#port.post({ t: "stopped" });
  }

  #call(id: number, call: HostCall): void {
    const controller = new AbortController();
    this.#calls.set(id, controller);
    currentCall.run(id, () => this.#answer(id, call, controller.signal));
  }

  /**
   * Runs a call and sends its result. A result that is no promise is sent directly, because waiting for a promise would
   * add to the time of each call.
   */
  #answer(id: number, call: HostCall, signal: AbortSignal): void {
    const asked = new AskedEffects(this.#warn);
    const fail = (error: unknown) => {
      this.#calls.delete(id);
      // A warning: what is logged as an error counts as the last words before a crash.
      if (!signal.aborted) logStack(this.#port, "warn", callName(call), error);
      const problem = problemOf(error, FAILURE_CODES[call.kind]);
      this.#port.post({ t: "error", id, problem, ...this.#effectsOf(asked) });
    };
    const settle = (value: unknown) => {
      try {
        this.#result(id, value, asked);
        this.#calls.delete(id);
      } catch (error) {
        fail(error);
      }
    };
    try {
      const value = this.#run(id, call, signal, asked);
      if (isThenable(value)) Promise.resolve(value).then(settle, fail);
      else settle(value);
    } catch (error) {
      fail(error);
    }
  }

  #run(id: number, call: HostCall, signal: AbortSignal, asked: AskedEffects): unknown {
    if (isSetupCall(call)) {
      if (!this.#setup) throw new HostError("PLUGIN_NOT_RUNNING", "The plugin's setup is not open.");
      return this.#setup.run(call, signal);
    }
    if (!this.#plugin) throw new HostError("PLUGIN_NOT_RUNNING", "The plugin has not started.");
    return runCall(this.#plugin, call, {
      agentId: this.#agentId,
      signal,
      onUpdate: (text) => {
        if (this.#calls.has(id)) this.#port.post({ t: "progress", id, text: text.slice(0, MAX_PROGRESS) });
      },
      get effects() {
        return asked.methods;
      },
    });
  }

  #result(id: number, value: unknown, asked: AskedEffects): void {
    // Writing it down as a line would take more memory than this process has, and end it.
    if (!isSendable(value, MAX_ANSWER)) throw new HostError("TOOL_FAILED", answerTooLargeText);
    const beside = this.#effectsOf(asked);
    try {
      this.#port.post({ t: "result", id, value, ...beside });
    } catch {
      this.#port.post({ t: "result", id, value: sendable(value), ...beside });
    }
  }

  /** What a call asked for beside its answer, as a part of the message with the answer. */
  #effectsOf(asked: AskedEffects): { effects?: unknown } | undefined {
    const effects = asked.take();
    if (effects === undefined) return undefined;
    if (isSendable(effects, MAX_ANSWER)) return { effects: sendable(effects) };
    this.#warn("`effects`: what the plugin asked for beside its answer is larger than 32 MB; it was lost.");
    return undefined;
  }
}

/** What failed, as the beginning of a line in the log. */
function callName(call: HostCall): string {
  switch (call.kind) {
    case "tool":
      return `The tool ${call.tool}`;
    case "command":
      return `The command /${call.name}`;
    case "hook":
      return "A hook";
    case "webhook":
      return "The answer to a webhook";
    case "send":
      return "Sending a message";
    case "prompt":
    case "resource":
      return `The call ${call.kind}`;
    case "shortcut":
      return `The command /${call.shortcut}`;
    case "setup.begin":
    case "setup.poll":
    case "setup.submit":
    case "setup.cancel":
    case "setup.check":
      return "The setup";
  }
}

function isSetupCall(call: HostCall): call is HostSetupCall {
  return call.kind.startsWith("setup.");
}

/** The same module with its settings schema as JSON Schema, where only the plugin's own zod can make one. */
async function withPlainSchema(module: { default?: unknown }, dir: string): Promise<{ default?: unknown }> {
  const manifest = unwrapCommonJs(module.default);
  if (!isObject(manifest) || !needsZod(manifest.configSchema)) return module;
  const configSchema = toJsonSchema(manifest.configSchema, await findZod(dir));
  return { default: Object.create(manifest, { configSchema: { value: configSchema, enumerable: true } }) };
}
