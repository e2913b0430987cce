import type { ErrorCode } from "../../../contract/index.ts";
import type { PluginCall } from "../../runtimes/plugin-call.ts";

/** For a call that took too long: its name in the message, and the code of the error. */
export function lateness(call: PluginCall, plugin: string): { what: string; code: ErrorCode } {
  switch (call.kind) {
    case "tool":
      return { what: `The tool ${call.name}`, code: "TOOL_TIMEOUT" };
    case "hook":
      return { what: `The hook of ${plugin}`, code: "HOOK_TIMEOUT" };
    case "command":
      return { what: `The command /${call.name}`, code: "COMMAND_TIMEOUT" };
    case "webhook":
      return { what: "The webhook", code: "TOOL_TIMEOUT" };
    case "send":
      return { what: "Sending the message", code: "TOOL_TIMEOUT" };
    case "prompt":
      return { what: `The prompt ${call.name}`, code: "TOOL_TIMEOUT" };
    case "resource":
      return { what: `Reading ${call.uri}`, code: "TOOL_TIMEOUT" };
    case "resources":
      return { what: `The list of what ${plugin} has`, code: "TOOL_TIMEOUT" };
    case "suggest":
      return { what: `Suggesting values for ${call.field}`, code: "TOOL_TIMEOUT" };
    case "shortcut":
      return { what: `The shortcut of ${plugin}`, code: "COMMAND_TIMEOUT" };
  }
}
