import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

/** A server that speaks by `initialize` alone. What it does wrong is said by its first argument. */
const mode = process.argv[2] ?? "";
const server = new McpServer(
  { name: "legacy", version: "1.0.0" },
  { instructions: "Ask for weather only where somebody lives." },
);

server.registerTool(
  "echo",
  { description: "Says what it is told.", inputSchema: { text: z.string() } },
  async ({ text }) => ({ content: [{ type: "text", text: `${text}${process.env.LOUD ? "!" : ""}` }] }),
);
server.registerTool("fail", { description: "Always fails." }, async () => ({
  isError: true,
  content: [{ type: "text", text: "The parcel is lost." }],
}));
server.registerTool("die", { description: "Ends its process." }, async () => {
  process.stderr.write("\u001B[31mout of stamps\u001B[0m\n");
  process.exit(7);
});
server.registerTool("slow steps", { description: "Tells how far it is." }, async (extra) => {
  const progressToken = extra._meta?.progressToken;
  for (const progress of [1, 2])
    if (progressToken !== undefined)
      await extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress, total: 2 },
      });
  return { content: [{ type: "text", text: "done" }] };
});
server.registerTool("more", { description: "Adds a tool." }, async () => {
  server.registerTool("added", { description: "New." }, async () => ({
    content: [{ type: "text", text: "new" }],
  }));
  return { content: [{ type: "text", text: "added" }] };
});
server.registerPrompt(
  "greet",
  { description: "A greeting", argsSchema: { name: z.string() } },
  ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: `Greet ${name}.` } }] }),
);

if (mode === "noisy") for (let line = 0; line < 14; line += 1) console.log(`starting ${line}`);
await server.connect(new StdioServerTransport());
