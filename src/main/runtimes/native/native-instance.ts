import { PatchbayError, toProblem } from "../../../contract/index.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import { folderOf } from "../artifact.ts";
import {
  type CallOf,
  type CallResult,
  type CallResults,
  type CallScope,
  callUnsupported,
  type PluginCall,
} from "../plugin-call.ts";
import type { InstanceContributions, PluginInstance, StartRequest } from "../runtime.ts";
import { type CallOptions, Calls } from "./calls.ts";
import { joinContributions } from "./contributions.ts";
import type { ChannelAccess, FromHost, HostContributions, HostRequest } from "./host/protocol.ts";
import { fromHostProblem, HostLine } from "./host-line.ts";
import { parseSendResult, parseText, parseToolOutput, parseWebhookResponse } from "./host-messages.ts";

const NO_CHANNEL: ChannelAccess = { agentBaseUrl: "", publicAgentBaseUrl: "", token: "" };

/** One native plugin in its host process. */
export class NativeInstance implements PluginInstance {
  readonly #request: StartRequest;
  readonly #line: HostLine;
  readonly #calls: Calls;
  readonly #requests = new Map<number, AbortController>();
  readonly #pings = new Map<number, (memoryBytes: number) => void>();
  #nextPing = 1;
  #unfollow: (() => void) | undefined;
  #contributions: InstanceContributions | undefined;
  #onStart: ((result: HostContributions | PatchbayError) => void) | undefined;
  #onStopped: (() => void) | undefined;

  constructor(process: HostProcess, request: StartRequest) {
    this.#request = request;
    this.#line = new HostLine(
      process,
      (message) => this.#receive(message),
      (level, text, origin, during) =>
        request.services.log(level, text, origin, this.#calls.during(during ?? null)?.scope),
    );
    this.#calls = new Calls(this.#line);
    void this.exited.then((exit) => this.#ended(exit));
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

  /** Starts the plugin's code. When that fails or the signal is aborted, the process is gone before this rejects. */
  async start(config: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const { plugin, agentId, workspace, secrets, services, limits } = this.#request;
    try {
      const contributions = await new Promise<HostContributions>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort, { once: true });
        this.#onStart = (result) => {
          this.#onStart = undefined;
          signal.removeEventListener("abort", abort);
          if (result instanceof PatchbayError) reject(result);
          else resolve(result);
        };
        this.#line.post({
          t: "start",
          start: {
            dir: folderOf(plugin.artifact),
            agentId,
            workspace,
            config,
            flatConfig: plugin.declaration.flatConfig,
            secrets,
            channel: plugin.capabilities.channel ? services.channelAccess() : NO_CHANNEL,
            hookMs: limits.hookMs,
            stopMs: limits.stopMs,
          },
        });
      });
      this.#contributions = joinContributions(plugin, contributions);
    } catch (error) {
      await this.#line.kill();
      throw error;
    }
  }

  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>> {
    // The result that belongs to a kind is that of the method which the switch leads to.
    return this.#make(call, scope) as Promise<CallResult<C>>;
  }

  #make(call: PluginCall, scope: CallScope): Promise<CallResults[PluginCall["kind"]]> {
    switch (call.kind) {
      case "tool":
        return this.#callTool(call, scope);
      case "hook":
        return this.#runHook(call, scope);
      case "command":
        return this.#runCommand(call, scope);
      case "webhook":
        return this.#handleWebhook(call, scope);
      case "send":
        return this.#send(call, scope);
      case "prompt":
      case "resource":
        return Promise.reject(callUnsupported(this.#request.plugin.displayName, call.kind));
    }
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

  async stop(reason: "disabled" | "restart" | "shutdown" | "not_responding"): Promise<void> {
    if (reason !== "not_responding") await this.#stopped();
    await this.#line.kill();
  }

  #callTool(call: CallOf<"tool">, scope: CallScope): Promise<CallResults["tool"]> {
    const { name, input, toolCallId, onUpdate } = call;
    const { sessionId, caller } = scope;
    const { namespace } = this.#request.plugin.capabilities.tools ?? {};
    const tool = namespace && name.startsWith(`${namespace}__`) ? name.slice(namespace.length + 2) : name;
    const sent = { kind: "tool", tool, input, toolCallId, sessionId, caller } as const;
    const doing = `tool ${namespace ? `${namespace}.` : ""}${tool}`;
    return this.#calls.run(sent, parseToolOutput, { ...during(doing, scope), onUpdate });
  }

  #runHook({ hookId, event, payload }: CallOf<"hook">, scope: CallScope): Promise<CallResults["hook"]> {
    const sent = { kind: "hook", hookId, payload } as const;
    return this.#calls.run(sent, (value) => value, during(`hook ${event}`, scope));
  }

  #runCommand({ name, args }: CallOf<"command">, scope: CallScope): Promise<CallResults["command"]> {
    const { sessionId, caller } = scope;
    const sent = { kind: "command", name, args, sessionId, caller } as const;
    return this.#calls.run(sent, parseText, during(`command /${name}`, scope));
  }

  #handleWebhook({ request }: CallOf<"webhook">, scope: CallScope): Promise<CallResults["webhook"]> {
    const rawBody = Buffer.from(request.rawBody).toString("base64");
    const sent = { kind: "webhook", headers: request.headers, rawBody } as const;
    return this.#calls.run(sent, parseWebhookResponse, during("webhook", scope));
  }

  #send({ message }: CallOf<"send">, scope: CallScope): Promise<CallResults["send"]> {
    return this.#calls.run({ kind: "send", ...message }, parseSendResult, during("message", scope));
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

  #receive(message: FromHost): void {
    const { services } = this.#request;
    switch (message.t) {
      case "result":
        this.#calls.result(message.id, message.value);
        break;
      case "error":
        this.#calls.error(message.id, message.problem);
        break;
      case "progress":
        this.#calls.progress(message.id, message.text);
        break;
      case "pong":
        this.#pings.get(message.id)?.(message.memoryBytes);
        this.#pings.delete(message.id);
        break;
      case "request":
        void this.#answer(message.id, message.during, message.request);
        break;
      case "cancel":
        this.#requests.get(message.id)?.abort();
        break;
      case "runtimeError":
        services.reportError(message.message, message.credentialsRefused);
        break;
      case "runtimeState":
        services.reportState(message.patch);
        break;
      case "hooks":
        if (!this.#contributions) break;
        this.#contributions = { ...this.#contributions, hooks: message.hooks };
        services.contributionsChanged(this.#contributions);
        break;
      case "started":
        this.#onStart?.(message.contributions);
        break;
      case "failed":
        this.#onStart?.(fromHostProblem(message.problem));
        break;
      case "stopped":
        this.#onStopped?.();
        break;
      case "inspected":
      case "setupReady":
      case "log":
        break;
    }
  }

  async #answer(id: number, during: number | null, request: HostRequest): Promise<void> {
    const controller = new AbortController();
    this.#requests.set(id, controller);
    try {
      const value = await this.#serve(id, during, request, controller.signal);
      this.#line.post({ t: "answer", id, value });
    } catch (error) {
      this.#line.post({ t: "refusal", id, problem: toProblem(error) });
    } finally {
      this.#requests.delete(id);
    }
  }

  async #serve(
    id: number,
    during: number | null,
    request: HostRequest,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { storage, credentials, oauthToken, ask, agent } = this.#request.services;
    switch (request.kind) {
      case "storage.get":
        return storage.get(request.key);
      case "storage.set":
        return storage.set(request.key, request.value);
      case "storage.delete":
        return storage.delete(request.key);
      case "credentials.get":
        return credentials.get(request.profile);
      case "credentials.set":
        return credentials.set(request.profile, request.values);
      case "oauth.token":
        return oauthToken(request.refused);
      case "ask": {
        const call = this.#calls.during(during);
        return ask(request.question, call?.doing ?? "plugin", call?.scope);
      }
      case "prompt": {
        this.#checkChannel();
        const onDelta = request.deltas
          ? (delta: string) => this.#line.post({ t: "delta", id, text: delta })
          : undefined;
        return agent.prompt({ ...request.message, onDelta, signal });
      }
      case "append":
        this.#checkChannel();
        return agent.append(request.message);
      case "approvals.follow":
        this.#checkChannel();
        this.#followApprovals();
        return Promise.resolve(null);
      case "review": {
        this.#checkChannel();
        const { kind: _kind, ...review } = request;
        return agent.review(review);
      }
    }
  }

  /** @throws PatchbayError FORBIDDEN for plugins that are no channel: nobody outside speaks through them. */
  #checkChannel(): void {
    const { plugin } = this.#request;
    if (plugin.capabilities.channel) return;
    throw new PatchbayError("FORBIDDEN", `${plugin.displayName} is no channel.`, {
      help: "A plugin that brings messages declares the capability `channel`.",
    });
  }

  #followApprovals(): void {
    this.#unfollow ??= this.#request.services.agent.followApprovals({
      asked: (approval) => this.#line.post({ t: "approvalAsked", approval }),
      settled: (requestId, outcome) => this.#line.post({ t: "approvalSettled", requestId, outcome }),
    });
  }

  #ended(exit: HostExit): void {
    const crash = this.#line.crash(exit);
    this.#onStart?.(crash);
    this.#onStopped?.();
    this.#calls.end(crash);
    this.#unfollow?.();
    for (const controller of this.#requests.values()) controller.abort(crash);
  }
}

function during(doing: string, scope: CallScope): CallOptions {
  return { doing, abort: scope.abort ?? scope.signal, scope };
}
