import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { booking, keyAsked, said, sure, wishOf } from "./forms.ts";

const sampleInput = { inputSchema: z.object({ params: z.record(z.string(), z.unknown()).optional() }) };
const none = { inputSchema: z.object({}) };

/** A server of the newer era that asks by results that want more. */
export function modernAsker(): McpServer {
  const server = new McpServer({ name: "asker", version: "2.0.0" }, { capabilities: { tools: {} } });
  const ask = (name: string, params: Parameters<typeof inputRequired.elicit>[0]) =>
    server.registerTool(name, none, async (_input, { mcpReq }) => {
      const answer = mcpReq.inputResponses?.answer;
      if (answer === undefined)
        return inputRequired({ inputRequests: { answer: inputRequired.elicit(params) } });
      return said(answer);
    });
  ask("book", booking);
  ask("key", keyAsked);
  ask("sure", sure);
  server.registerTool("page", { inputSchema: z.object({ url: z.string() }) }, async ({ url }, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.answer;
    if (answer === undefined)
      return inputRequired({
        inputRequests: { answer: inputRequired.elicitUrl({ message: "Sign the form.", url }) },
      });
    return said(answer);
  });
  server.registerTool("two", none, async (_input, { mcpReq }) => {
    const { one, two, roots } = mcpReq.inputResponses ?? {};
    if (one === undefined || two === undefined || roots === undefined)
      return inputRequired({
        inputRequests: {
          one: inputRequired.elicit(sure),
          two: inputRequired.elicit({ ...sure, message: "Really sure?" }),
          roots: inputRequired.listRoots(),
        },
      });
    return said([one, two, roots]);
  });
  server.registerTool("endless", none, async () =>
    inputRequired({ inputRequests: { again: inputRequired.elicit(sure) } }),
  );
  server.registerTool("poem", sampleInput, async ({ params }, { mcpReq }) => {
    const words = mcpReq.inputResponses?.words;
    if (words !== undefined) return said(words);
    return inputRequired({ inputRequests: { words: inputRequired.createMessage(wishOf(params)) } });
  });
  server.registerTool("samples", none, async () =>
    inputRequired({
      inputRequests: {
        words: inputRequired.createMessage({
          messages: [{ role: "user", content: { type: "text", text: "Say something." } }],
          maxTokens: 100,
        }),
      },
    }),
  );
  return server;
}
