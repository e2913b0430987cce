import { PatchbayError } from "../../contract/index.ts";
import { installation } from "../../main/platform/node-platform.ts";
import type { CliContext, Client } from "../context.ts";
import { HeldCore } from "./held-core.ts";

/**
 * Serves the tools of an agent over stdin and stdout until stdin ends. Nothing else is written to stdout.
 * @param name the agent's id, or its name where only one has it
 */
export async function serveMcp(context: CliContext, name: string): Promise<0> {
  const { output, signal, terminal } = context;
  if (terminal.interactive)
    output.note("This speaks MCP to the program that starts it. To end it, press Ctrl+C.");
  const source = new HeldCore(() => context.connect());
  try {
    const agentId = await source.use(({ client }) => agentNamed(client, name));
    const [{ serveStdio }, { Door }, { LineTransport }] = await Promise.all([
      import("@modelcontextprotocol/server/stdio"),
      import("../../main/mcp-server/door.ts"),
      import("../../main/mcp-server/line-transport.ts"),
    ]);
    const door = new Door({ agentId, version: installation().version, source, hasSession: true });
    const transport = new LineTransport(process.stdin, process.stdout);
    const server = serveStdio((how) => door.server(how), { transport });
    const stop = () => void transport.close();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    await transport.ended;
    await server.close();
    await door.close();
    return 0;
  } finally {
    await source.close();
  }
}

/** @throws PatchbayError AGENT_NOT_FOUND */
async function agentNamed(client: Pick<Client, "agents">, name: string): Promise<string> {
  const agents = await client.agents.list();
  const byId = agents.find(({ id }) => id === name);
  if (byId) return byId.id;
  const [first, ...more] = agents.filter((agent) => agent.name.toLowerCase() === name.toLowerCase());
  if (first && more.length === 0) return first.id;
  throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${name}.`, {
    help:
      agents.length > 0
        ? `These are there: ${agents.map(({ id }) => id).join(", ")}.`
        : "Make one first: patchbay agent create NAME.",
  });
}
