import type { Command } from "commander";
import type { Perform } from "../command.ts";
import { serveMcp } from "./serve.ts";

/** `patchbay mcp`: an agent's tools for other programs. */
export function addMcpCommand(program: Command, perform: Perform): void {
  program
    .command("mcp")
    .description("be an MCP server on stdin and stdout: another program uses the tools of an agent")
    .requiredOption("--agent <id>", "the agent")
    .action(({ agent }: { agent: string }) => perform((context) => serveMcp(context, agent)));
}
