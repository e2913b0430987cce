import { PatchbayError, toProblem } from "../../../contract/index.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import { folderOf } from "../artifact.ts";
import type { AbortSource } from "../call-abort.ts";
import type {
  CallScope,
  HookReturn,
  InstanceContributions,
  PluginInstance,
  StartRequest,
  ToolCallScope,
  ToolOutput,
  WebhookRequest,
  WebhookResponse,
} from "../runtime.ts";
import { Calls } from "./calls.ts";
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
    this.#line = new HostLine(process, (message) => this.#receive(message), request.services.log);
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

  callTool(name: string, input: Record<string, unknown>, call: ToolCallScope): Promise<ToolOutput> {
    const prefix = `${this.#request.plugin.capabilities.tools?.namespace}__`;
    const { toolCallId, sessionId, caller, onUpdate } = call;
    return this.#calls.run(
      {
        kind: "tool",
        tool: name.startsWith(prefix) ? name.slice(prefix.length) : name,
        input,
        toolCallId,
        sessionId,
        caller,
      },
      parseToolOutput,
      { doing: `tool ${name.replace("__", ".")}`, abort: abortOf(call), scope: call, onUpdate },
    );
  }

  dispatch(hookId: string, payload: unknown, call: CallScope): Promise<HookReturn> {
    return this.#calls.run({ kind: "hook", hookId, payload }, (value) => value, {
      doing: `hook ${this.contributions.hooks.find(({ id }) => id === hookId)?.event ?? ""}`,
      abort: abortOf(call),
      scope: call,
    });
  }

  runCommand(name: string, args: string, call: CallScope): Promise<string> {
    const { sessionId, caller } = call;
    return this.#calls.run({ kind: "command", name, args, sessionId, caller }, parseText, {
      doing: `command /${name}`,
      abort: abortOf(call),
      scope: call,
    });
  }

  handleWebhook(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    const rawBody = Buffer.from(request.rawBody).toString("base64");
    return this.#calls.run({ kind: "webhook", headers: request.headers, rawBody }, parseWebhookResponse, {
      doing: "webhook",
      abort: signal,
    });
  }

  sendOut(
    message: { sessionId: string; to: string; text: string },
    signal: AbortSignal,
  ): Promise<{ success: boolean; error?: string }> {
    return this.#calls.run({ kind: "send", ...message }, parseSendResult, {
      doing: "message",
      abort: signal,
    });
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
        if (this.#contributions) this.#contributions = { ...this.#contributions, hooks: message.hooks };
        services.hooksChanged(message.hooks);
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

/** The cheapest way to hear that a call is to end. */
function abortOf(call: CallScope): AbortSource {
  return call.abort ?? call.signal;
}
