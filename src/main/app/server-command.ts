import { join } from "node:path";
import type { ServerCommand } from "../../contract/index.ts";
import type { Platform } from "../platform/platform.ts";
import { ownStore } from "../store/address.ts";

/** How another program starts this installation as the MCP server of an agent. */
export function serverCommand(
  { bundleDir, shell, store }: Pick<Platform, "bundleDir" | "shell" | "store">,
  agentId: string,
): ServerCommand {
  const isUsual = store === ownStore({ ...process.env, PATCHBAY_HOME: undefined });
  const args = [...(isUsual ? [] : ["--home", store]), "mcp", "--agent", agentId];
  // In a packed desktop the command is the one that was installed with it.
  if (bundleDir.includes(".asar")) return { command: "patchbay", args };
  const bin = join(bundleDir, "..", "..", "bin", "patchbay");
  return shell === "desktop" ? { command: bin, args } : { command: process.execPath, args: [bin, ...args] };
}
