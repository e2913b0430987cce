import type { HostExit } from "../../../platform/platform.ts";
import type { CallOf, CallResult, CallResults, CallScope, PluginCall } from "../../plugin-call.ts";
import type { InstanceContributions, PluginInstance } from "../../runtime.ts";
import type { HostedInstance } from "../hosted-instance.ts";

/** A started plugin whose hooks have words of their own: all but the calls of hooks goes to its host as it is. */
export abstract class TranslatedInstance implements PluginInstance {
  protected readonly hosted: HostedInstance;

  constructor(hosted: HostedInstance) {
    this.hosted = hosted;
  }

  get pid(): number | null {
    return this.hosted.pid;
  }

  get exited(): Promise<HostExit> {
    return this.hosted.exited;
  }

  get contributions(): InstanceContributions {
    return this.hosted.contributions;
  }

  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>> {
    if (call.kind !== "hook") return this.hosted.call(call, scope);
    // TypeScript cannot follow from `call.kind` to `C`.
    return this.callHook(call, scope) as Promise<CallResult<C>>;
  }

  ping(signal: AbortSignal): Promise<{ memoryBytes: number }> {
    return this.hosted.ping(signal);
  }

  stop(reason: Parameters<PluginInstance["stop"]>[0]): Promise<void> {
    return this.hosted.stop(reason);
  }

  /** Turns an event of the agent into the system's own hooks, and what they did into an answer. */
  protected abstract callHook(call: CallOf<"hook">, scope: CallScope): Promise<CallResults["hook"]>;
}
