import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { booking, keyAsked, said, sure, wishOf } from "./forms.ts";

/** A server of the older era that asks by requests of its own. */
export function legacyAsker(): McpServer {
  const server = new McpServer({ name: "asker", version: "1.0.0" }, { capabilities: { logging: {} } });
  const ask = (params: Parameters<typeof server.server.elicitInput>[0]) => async () =>
    said(await server.server.elicitInput(params));
  server.registerTool("book", { description: "Asks for a trip." }, ask(booking));
  server.registerTool("key", { description: "Asks for a key." }, ask(keyAsked));
  server.registerTool("sure", { description: "Asks for nothing but a word." }, ask(sure));
  server.registerTool("page", { inputSchema: { url: z.string() } }, async ({ url }) =>
    said(
      await server.server.elicitInput({
        mode: "url",
        message: "Sign the form.",
        url,
        elicitationId: "page-1",
      }),
    ),
  );
  server.registerTool("page_done", { inputSchema: { url: z.string() } }, async ({ url }) => {
    const asked = server.server.elicitInput({
      mode: "url",
      message: "Sign the form.",
      url,
      elicitationId: "page-2",
    });
    await server.server.createElicitationCompletionNotifier("page-2")();
    return said(await asked);
  });
  let signed = false;
  server.registerTool("page_first", {}, async () => {
    if (!signed) {
      signed = true;
      throw new UrlElicitationRequiredError([
        { mode: "url", message: "Sign first.", url: "https://example.com/sign", elicitationId: "first" },
      ]);
    }
    return said("signed");
  });
  server.registerTool("many", {}, async () => {
    const actions: string[] = [];
    for (let count = 0; count < 100; count += 1) actions.push((await server.server.elicitInput(sure)).action);
    return said(actions.join(" "));
  });
  server.registerTool("dies", {}, async () => {
    void server.server.elicitInput(sure).catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(3);
  });
  const sample = (params?: Record<string, unknown>) =>
    server.server.request(
      { method: "sampling/createMessage", params: wishOf(params) },
      z.looseObject({ role: z.string() }),
    );
  server.registerTool(
    "poem",
    { inputSchema: { params: z.record(z.string(), z.unknown()).optional() } },
    async ({ params }) => said(await sample(params)),
  );
  server.registerTool("poems", {}, async () => {
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => sample()));
    return said(all.filter(({ status }) => status === "fulfilled").length);
  });
  server.registerTool("poem_dies", {}, async () => {
    void sample().catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(3);
  });
  server.registerTool("logs", {}, async () => {
    await server.sendLoggingMessage({ level: "warning", logger: "trips", data: "The train is late." });
    await server.sendLoggingMessage({ level: "debug", data: { platform: 9 } });
    return said("logged");
  });
  server.registerTool(
    "steps",
    { inputSchema: { ms: z.number(), told: z.boolean() } },
    async ({ ms, told }, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken ?? "";
      const step = 250;
      for (let gone = 0; gone < ms; gone += step) {
        await new Promise((resolve) => setTimeout(resolve, step));
        if (told)
          await sendNotification({
            method: "notifications/progress",
            params: { progressToken, progress: gone + step, total: ms },
          });
      }
      return said("there");
    },
  );
  server.registerTool("roots", {}, async () => said((await server.server.listRoots()).roots));
  server.registerTool("knows", {}, async () => said(server.server.getClientCapabilities()));
  return server;
}
