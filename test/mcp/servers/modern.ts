import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** A server of the revision 2026-07-28; with the argument `both` it speaks the older way too. */
const legacy = process.argv[2] === "both" ? "serve" : "reject";

serveStdio(
  ({ era }) => {
    const server = new McpServer({ name: "modern", version: "2.0.0" }, { capabilities: { tools: {} } });
    server.registerTool(
      "era",
      { description: "Says what it speaks.", inputSchema: z.object({}) },
      async () => ({ content: [{ type: "text", text: era }], structuredContent: { era } }),
    );
    return server;
  },
  { legacy },
);
