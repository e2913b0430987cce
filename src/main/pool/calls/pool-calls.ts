import {
  type InstanceState,
  type InstanceView,
  PatchbayError,
  type Plugin,
} from "../../../contract/index.ts";
import type { CallResult, CallScope, PluginCall } from "../../runtimes/plugin-call.ts";
import type { PluginInstance } from "../../runtimes/runtime.ts";
import type { CallLedger } from "./call-ledger.ts";
import { lateness } from "./call-words.ts";

/** The run of a plugin that takes a call. */
interface Callee {
  readonly plugin: Pick<Plugin, "displayName">;
  readonly generation: number;
  readonly ledger: CallLedger;
  readonly instance: PluginInstance;
}

/** Where a plugin of an agent runs, as a caller sees it. */
interface Called {
  /** The run that takes calls now. */
  readonly live: Callee | null;
  /** It is just starting, stopping or changing. */
  readonly busy: boolean;
  readonly state: InstanceState;
  settled(): Promise<unknown>;
  view(): Pick<InstanceView, "reason">;
}

type Find = (agentId: string, key: string) => Called | undefined;

/** Finds the running plugin for a call and makes the call. When the plugin is just restarting, it waits for that. */
export class PoolCalls {
  readonly #find: Find;

  constructor(find: Find) {
    this.#find = find;
  }

  call<C extends PluginCall>(
    agentId: string,
    key: string,
    call: C,
    scope: CallScope,
  ): Promise<CallResult<C>> {
    const slot = this.#find(agentId, key);
    const run = slot?.live;
    return run ? callRun(run, call, scope) : waitAndCall(slot, key, call, scope);
  }
}

/**
 * Makes one call. Every call goes through here and is entered in the run's ledger, which has its time limit, counts it,
 * and ends it when the plugin is stopped.
 */
function callRun<C extends PluginCall>(run: Callee, call: C, scope: CallScope): Promise<CallResult<C>> {
  const inner = call.kind === "hook" ? ownHook(run, call) : call;
  if (!inner) {
    const message = `${run.plugin.displayName} was restarted in the meantime.`;
    return Promise.reject(new PatchbayError("PLUGIN_NOT_RUNNING", message));
  }
  return run.ledger.run(
    scope,
    (limitMs) => tooLate(call, run, limitMs),
    (own) => run.instance.call(inner as C, own),
  );
}

/**
 * The hook call with the id that the plugin itself gave to the hook, without our prefix; null when the hook belongs to
 * another generation of the plugin.
 */
function ownHook<C extends PluginCall & { kind: "hook" }>(run: Callee, call: C): C | null {
  const generation = `${run.generation}:`;
  if (!call.hookId.startsWith(generation)) return null;
  return { ...call, hookId: call.hookId.slice(generation.length) };
}

function tooLate(call: PluginCall, run: Callee, limitMs: number): PatchbayError {
  const { what, code } = lateness(call, run.plugin.displayName);
  return new PatchbayError(code, `${what} took longer than ${limitMs} ms and was stopped.`);
}

async function waitAndCall<C extends PluginCall>(
  slot: Called | undefined,
  key: string,
  call: C,
  scope: CallScope,
): Promise<CallResult<C>> {
  if (slot?.busy) await settledOrAborted(slot, scope.signal);
  const run = slot?.live;
  if (!run) throw notRunning(slot, key);
  return callRun(run, call, scope);
}

async function settledOrAborted(slot: Called, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener("abort", stop, { once: true });
  });
  await Promise.race([slot.settled(), aborted]);
  signal.removeEventListener("abort", stop);
}

function notRunning(slot: Called | undefined, key: string): PatchbayError {
  const reason = slot?.view().reason;
  const state = slot?.state.replace("_", " ") ?? "stopped";
  return new PatchbayError(
    "PLUGIN_NOT_RUNNING",
    `${key} is not running for this agent (${state}).${reason ? ` ${reason.message}` : ""}`,
    { ...(reason && { details: { reason } }) },
  );
}
