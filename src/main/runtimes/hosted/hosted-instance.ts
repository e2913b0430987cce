import { PatchbayError } from "../../../contract/index.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import {
  type CallKind,
  type CallOf,
  type CallResult,
  type CallResults,
  type CallScope,
  callUnsupported,
  type PluginCall,
} from "../plugin-call.ts";
import type { InstanceContributions, PluginInstance, StartRequest } from "../runtime.ts";
import type { CallOptions, Calls } from "./calls.ts";
import type { HostLine } from "./host-line.ts";
import {
  parsePrompt,
  parseResource,
  parseSendResult,
  parseText,
  parseToolOutput,
  parseWebhookResponse,
} from "./host-messages.ts";
import { ServedQuestions } from "./host-questions.ts";
import { HostTalk, type OwnMessage } from "./host-talk.ts";
import { handOnEffects } from "./judge-effects.ts";
import type { HostContributions } from "./protocol.ts";

/** The part that a runtime must provide so that this kit can run its plugins. */
export interface HostedKind {
  /** The kinds of calls that its hosts understand; others are refused without asking the host. */
  calls: ReadonlySet<CallKind>;
  /**
   * Turns what a host says that it offers into what the app knows, with full tool names.
   * @throws PatchbayError when what it offers is not allowed
   */
  join(host: HostContributions): InstanceContributions;
  /** For a full tool name: the plugin's own name of the tool, and the title for screens. */
  tool(name: string): { name: string; title: string };
}

type StopReason = Parameters<PluginInstance["stop"]>[0];

/** Why a call that is still under way then has no answer. */
const whyStopped: Record<StopReason, string> = {
  disabled: "it was switched off",
  restart: "it is started anew",
  shutdown: "Patchbay ends",
  not_responding: "it did not answer for 10 seconds",
};

/** One started plugin in its host process. */
export class HostedInstance implements PluginInstance {
  readonly #request: StartRequest;
  readonly #kind: HostedKind;
  readonly #talk: HostTalk<HostContributions>;
  readonly #line: HostLine;
  readonly #calls: Calls;
  readonly #served: ServedQuestions;
  readonly #pings = new Map<number, (memoryBytes: number) => void>();
  #nextPing = 1;
  #host: HostContributions | undefined;
  #contributions: InstanceContributions | undefined;
  #onStopped: (() => void) | undefined;

  constructor(process: HostProcess, request: StartRequest, kind: HostedKind) {
    const { plugin, services } = request;
    this.#request = request;
    this.#kind = kind;
    this.#talk = new HostTalk(process, {
      receive: (message) => this.#receive(message),
      serve: (question) => this.#served.serve(question),
      log: (level, text, origin, during) =>
        services.log(level, text, origin, this.#calls.during(during ?? null)?.scope),
      refused: (target, detail) => services.refused(target, detail),
      effects: (raw, scope) =>
        handOnEffects(raw, scope, plugin.displayName, (text) =>
          services.log("warn", text, "patchbay", scope),
        ),
      ended: () => {
        this.#onStopped?.();
        this.#served.end();
      },
    });
    this.#line = this.#talk.line;
    this.#calls = this.#talk.calls;
    this.#served = new ServedQuestions(plugin, services, this.#line);
  }

  get pid(): number | null {
    return this.#line.process.pid ?? null;
  }

  get exited(): Promise<HostExit> {
    return this.#line.exited;
  }

  get contributions(): InstanceContributions {
    if (!this.#contributions)
      throw new PatchbayError("PLUGIN_NOT_RUNNING", "The plugin has not started yet.");
    return this.#contributions;
  }

  /**
   * Starts the plugin's code. When that fails or the signal is aborted, the process is gone before this rejects.
   *
   * @param start what this kind of host needs to start
   */
  async start(start: unknown, signal: AbortSignal): Promise<void> {
    const host = await this.#talk.open(signal, () => this.#line.post({ t: "start", start }));
    try {
      this.#contributions = this.#kind.join(host);
      this.#host = host;
    } catch (error) {
      await this.#line.kill("what it offers is not allowed");
      throw error;
    }
  }

  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>> {
    // The switch returns the result type of its kind, but TypeScript cannot follow that from `call.kind` to `C`.
    return this.#make(call, scope) as Promise<CallResult<C>>;
  }

  ping(signal: AbortSignal): Promise<{ memoryBytes: number }> {
    const id = this.#nextPing++;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#pings.delete(id);
        reject(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#pings.set(id, (memoryBytes) => {
        signal.removeEventListener("abort", abort);
        resolve({ memoryBytes });
      });
      this.#line.post({ t: "ping", id });
    });
  }

  async stop(reason: StopReason): Promise<void> {
    if (reason !== "not_responding") await this.#stopped();
    await this.#line.kill(whyStopped[reason]);
  }

  #make(call: PluginCall, scope: CallScope): Promise<CallResults[CallKind]> {
    if (!this.#kind.calls.has(call.kind))
      return Promise.reject(callUnsupported(this.#request.plugin.displayName, call.kind));
    switch (call.kind) {
      case "tool":
        return this.#callTool(call, scope);
      case "hook": {
        const { hookId, event, payload } = call;
        return this.#calls.run({ kind: "hook", hookId, payload }, asItIs, during(`hook ${event}`, scope));
      }
      case "command": {
        const { sessionId, caller } = scope;
        const sent = { kind: "command", name: call.name, args: call.args, sessionId, caller } as const;
        return this.#calls.run(sent, parseText, during(`command /${call.name}`, scope));
      }
      case "webhook": {
        const rawBody = Buffer.from(call.request.rawBody).toString("base64");
        const sent = { kind: "webhook", headers: call.request.headers, rawBody } as const;
        return this.#calls.run(sent, parseWebhookResponse, during("webhook", scope));
      }
      case "send":
        return this.#calls.run({ kind: "send", ...call.message }, parseSendResult, during("message", scope));
      case "prompt": {
        const { name, args } = call;
        return this.#calls.run({ kind: "prompt", name, args }, parsePrompt, during(`prompt ${name}`, scope));
      }
      case "resource": {
        const { uri } = call;
        return this.#calls.run({ kind: "resource", uri }, parseResource, during(`resource ${uri}`, scope));
      }
      case "resources":
      case "suggest":
        return Promise.reject(callUnsupported(this.#request.plugin.displayName, call.kind));
      case "shortcut": {
        const { sessionId, caller } = scope;
        const sent = { kind: "shortcut", shortcut: call.id, sessionId, caller } as const;
        return this.#calls.run(sent, parseText, during("shortcut", scope));
      }
    }
  }

  #callTool(call: CallOf<"tool">, scope: CallScope): Promise<CallResults["tool"]> {
    const { input, toolCallId, onUpdate } = call;
    const { sessionId, caller } = scope;
    const { name: tool, title } = this.#kind.tool(call.name);
    const sent = { kind: "tool", tool, input, toolCallId, sessionId, caller } as const;
    return this.#calls.run(sent, parseToolOutput, { ...during(`tool ${title}`, scope), onUpdate });
  }

  async #stopped(): Promise<void> {
    const { stopMs } = this.#request.limits;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onStopped = resolve;
      timer = setTimeout(() => {
        this.#request.services.log(
          "warn",
          `The plugin did not stop within ${stopMs} ms and was ended.`,
          "patchbay",
        );
        resolve();
      }, stopMs);
      void this.exited.then(() => resolve());
      this.#line.post({ t: "stop", limitMs: stopMs });
    });
    clearTimeout(timer);
  }

  #receive(message: OwnMessage): void {
    const { services } = this.#request;
    switch (message.t) {
      case "pong":
        if (message.id >= this.#nextPing)
          this.#line.refuse("a sign of life", "The plugin's process answered a ping that was never sent.");
        this.#pings.get(message.id)?.(message.memoryBytes);
        this.#pings.delete(message.id);
        break;
      case "runtimeError":
        services.reportError(message.message, message.credentialsRefused);
        break;
      case "runtimeState":
        services.reportState(message.patch);
        break;
      case "contributions":
        this.#offer(message.changed);
        break;
      case "started":
        if (this.#host)
          this.#line.refuse(
            "a second start",
            "The plugin's process said for the second time that it has started.",
          );
        this.#talk.opening.opened(message.contributions);
        break;
      case "stopped":
        this.#onStopped?.();
        break;
      case "inspected":
      case "setupReady":
        this.#line.refuse(message.t, `The plugin's process sent \`${message.t}\`, which nobody asked for.`);
        break;
      case "log":
        break;
    }
  }

  /**
   * The host offers something else than before. When a part of it is not allowed, the whole change is refused, with a
   * line in the log.
   */
  #offer(changed: Partial<HostContributions>): void {
    if (!this.#host) return;
    const host = { ...this.#host, ...changed };
    const { services } = this.#request;
    try {
      this.#contributions = this.#kind.join(host);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      services.refused("what it offers", `What the plugin offers now was refused: ${reason}`);
      return;
    }
    this.#host = host;
    services.contributionsChanged(this.#contributions);
  }
}

function asItIs(value: unknown): unknown {
  return value;
}

function during(doing: string, scope: CallScope): CallOptions {
  return { doing, abort: scope.abort ?? scope.signal, scope };
}
