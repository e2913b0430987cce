import { type ErrorCode, PatchbayError } from "../../../contract/index.ts";
import type {
  CallScope,
  HookReturn,
  ToolCallScope,
  ToolOutput,
  WebhookRequest,
  WebhookResponse,
} from "../../runtimes/runtime.ts";
import type { PoolOptions } from "../ports.ts";
import type { Run } from "../slot/run.ts";
import type { Slot } from "../slot/slot.ts";

type Find = (agentId: string, key: string) => Slot | undefined;

/** The way of a call into a running plugin. One that is just restarting is waited for. */
export class PoolCalls {
  readonly #find: Find;
  readonly #settings: PoolOptions["settings"];

  constructor(find: Find, settings: PoolOptions["settings"]) {
    this.#find = find;
    this.#settings = settings;
  }

  tool(
    agentId: string,
    key: string,
    tool: string,
    input: Record<string, unknown>,
    scope: ToolCallScope,
  ): Promise<ToolOutput> {
    return this.#call(agentId, key, scope, (run) =>
      run.ledger.run(scope, late("TOOL_TIMEOUT", `The tool ${tool}`), (inner) =>
        run.instance.callTool(tool, input, inner),
      ),
    );
  }

  hook(
    agentId: string,
    key: string,
    hookId: string,
    payload: unknown,
    scope: CallScope,
  ): Promise<HookReturn> {
    return this.#call(agentId, key, scope, (run) => {
      const generation = `${run.generation}:`;
      if (!hookId.startsWith(generation)) {
        const message = `${run.plugin.displayName} was restarted in the meantime.`;
        return Promise.reject(new PatchbayError("PLUGIN_NOT_RUNNING", message));
      }
      return run.ledger.run(scope, late("HOOK_TIMEOUT", `The hook of ${run.plugin.displayName}`), (inner) =>
        run.instance.dispatch(hookId.slice(generation.length), payload, inner),
      );
    });
  }

  command(agentId: string, key: string, name: string, args: string, scope: CallScope): Promise<string> {
    return this.#call(agentId, key, scope, (run) =>
      run.ledger.run(scope, late("COMMAND_TIMEOUT", `The command /${name}`), (inner) =>
        run.instance.runCommand(name, args, inner),
      ),
    );
  }

  webhook(
    agentId: string,
    key: string,
    request: WebhookRequest,
    signal: AbortSignal,
  ): Promise<WebhookResponse> {
    return this.#call(agentId, key, { signal }, (run) =>
      run.ledger.run(this.#ownScope(signal), late("TOOL_TIMEOUT", "The webhook"), (inner) =>
        run.instance.handleWebhook(request, inner.signal),
      ),
    );
  }

  send(
    agentId: string,
    key: string,
    message: { sessionId: string; to: string; text: string },
    signal: AbortSignal,
  ): Promise<{ success: boolean; error?: string }> {
    return this.#call(agentId, key, { signal }, (run) =>
      run.ledger.run(this.#ownScope(signal), late("TOOL_TIMEOUT", "Sending the message"), (inner) =>
        run.instance.sendOut(message, inner.signal),
      ),
    );
  }

  #ownScope(signal: AbortSignal): CallScope {
    const timeoutMs = this.#settings.get().limits.toolMs;
    return { sessionId: "", caller: { kind: "owner" }, signal, timeoutMs };
  }

  #call<T>(
    agentId: string,
    key: string,
    scope: Pick<CallScope, "signal">,
    use: (run: Run) => Promise<T>,
  ): Promise<T> {
    const slot = this.#find(agentId, key);
    const run = slot?.live;
    return run ? use(run) : this.#wait(slot, key, scope, use);
  }

  async #wait<T>(
    slot: Slot | undefined,
    key: string,
    { signal }: Pick<CallScope, "signal">,
    use: (run: Run) => Promise<T>,
  ): Promise<T> {
    if (slot?.busy) await settledOrAborted(slot, signal);
    const run = slot?.live;
    if (!run) throw notRunning(slot, key);
    return use(run);
  }
}

function late(code: ErrorCode, what: string): (limitMs: number) => PatchbayError {
  return (limitMs) => new PatchbayError(code, `${what} took longer than ${limitMs} ms and was stopped.`);
}

async function settledOrAborted(slot: Slot, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener("abort", stop, { once: true });
  });
  await Promise.race([slot.settled(), aborted]);
  signal.removeEventListener("abort", stop);
}

function notRunning(slot: Slot | undefined, key: string): PatchbayError {
  const reason = slot?.view().reason;
  const state = slot?.state.replace("_", " ") ?? "stopped";
  return new PatchbayError(
    "PLUGIN_NOT_RUNNING",
    `${key} is not running for this agent (${state}).${reason ? ` ${reason.message}` : ""}`,
    { ...(reason && { details: { reason } }) },
  );
}
