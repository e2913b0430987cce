import type { CallEffects } from "@patchbay/plugin-sdk";
import { HostError, messageOf } from "../../../hosted/node/host-error.ts";
import type { HostCall, HostSetupCall } from "../protocol.ts";
import type { StartedPlugin } from "./start-plugin.ts";
import { type ToolOutput, textOfResult } from "./tool-output.ts";
import { webhookResponse } from "./webhook-response.ts";

export interface CallScope {
  agentId: string;
  signal: AbortSignal;
  onUpdate(text: string): void;
  /** A getter: made when it is first read. */
  readonly effects: CallEffects;
}

/** Runs one call of the app in the plugin's code. The value is what goes back over the wire. */
export function runCall(
  plugin: StartedPlugin,
  call: Exclude<HostCall, HostSetupCall>,
  scope: CallScope,
): unknown {
  switch (call.kind) {
    case "tool":
      return runTool(plugin, call, scope);
    case "hook":
      return plugin.hooks.run(call.hookId, call.payload, {
        signal: scope.signal,
        get effects() {
          return scope.effects;
        },
      });
    case "command":
      return runCommand(plugin, call, scope);
    case "webhook":
      return runWebhook(plugin, call);
    case "send":
      return send(plugin, call);
    case "shortcut":
      return runCommand(plugin, { ...call, name: call.shortcut, args: "" }, scope);
    case "prompt":
    case "resource":
      throw new HostError("CALL_UNSUPPORTED", "Native plugins have no prompts and no resources.");
  }
}

/** A copy of the value without the parts that cannot be sent to another process. */
export function sendable(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch (error) {
    throw new HostError(
      "TOOL_FAILED",
      `The plugin answered with something that is not plain data: ${messageOf(error)}`,
    );
  }
}

function runTool(
  plugin: StartedPlugin,
  call: Extract<HostCall, { kind: "tool" }>,
  scope: CallScope,
): ToolOutput | Promise<ToolOutput> {
  const tool = plugin.tools.get(call.tool);
  if (!tool) throw new HostError("TOOL_NOT_FOUND", `The plugin offers no tool \`${call.tool}\`.`);
  return tool.run(call.input, {
    toolCallId: call.toolCallId,
    agentId: scope.agentId,
    sessionId: call.sessionId,
    caller: call.caller,
    signal: scope.signal,
    onUpdate: scope.onUpdate,
    get effects() {
      return scope.effects;
    },
  });
}

async function runCommand(
  plugin: StartedPlugin,
  call: Omit<Extract<HostCall, { kind: "command" }>, "kind">,
  scope: CallScope,
): Promise<string> {
  const command = plugin.commands.get(call.name);
  if (!command) throw new HostError("COMMAND_NOT_FOUND", `The plugin offers no command \`/${call.name}\`.`);
  const output = await command.run(call.args, {
    agentId: scope.agentId,
    sessionId: call.sessionId,
    caller: call.caller,
    signal: scope.signal,
    get effects() {
      return scope.effects;
    },
  });
  if (typeof output === "object" || typeof output === "function") return textOfResult(output);
  return output === undefined ? "" : String(output);
}

async function runWebhook(
  plugin: StartedPlugin,
  call: Extract<HostCall, { kind: "webhook" }>,
): Promise<unknown> {
  const handle = plugin.channel?.handleWebhook?.bind(plugin.channel);
  if (!handle) throw new HostError("NOT_FOUND", "The plugin takes no webhooks.");
  const response: unknown = await handle({
    headers: call.headers,
    rawBody: Buffer.from(call.rawBody, "base64"),
  });
  return webhookResponse(response);
}

const unsaid =
  "The plugin's channel did not say whether the message was sent: `outbound.send` must return `{success: true}` or `{success: false, error}`.";

async function send(plugin: StartedPlugin, call: Extract<HostCall, { kind: "send" }>): Promise<unknown> {
  const outbound = plugin.channel?.outbound;
  if (!outbound) throw new HostError("NOT_FOUND", "The plugin's channel sends no messages.");
  const result = await outbound.send({ sessionId: call.sessionId, to: call.to, text: call.text });
  if (typeof result?.success !== "boolean") return { success: false, error: unsaid };
  return {
    success: result.success,
    ...(result.error !== undefined && { error: String(result.error) }),
  };
}
