import { definePlugin, parserOf, schemaOf, type ToolResult, tool } from "@patchbay/plugin-sdk";
import { z } from "zod";
import { resolveHost } from "./addresses.ts";
import { fetchPage, type Page } from "./fetch.ts";
import { hostOf, parseHostRule } from "./hosts.ts";
import { configSchema, settingsSchema } from "./settings.ts";

const input = z.object({
  url: z.string().min(1).meta({ description: "The http or https address to read." }),
});

export default definePlugin({
  manifestVersion: 1,
  key: "http",
  displayName: "HTTP",
  description: "Reads web addresses, on the hosts you allow and no others.",
  configSchema: schemaOf(configSchema),
  parseConfig: parserOf(configSchema),
  defaultConfig: { tools: settingsSchema.parse({}) },
  permissions: { network: true, files: "none", subprocess: false },
  tools: {
    namespace: "http",
    names: ["http_get"],
    async start(config, ctx) {
      const { allowedHosts, ...settings } = settingsSchema.parse(config ?? {});
      const rules = { ...settings, allowed: allowedHosts.map(parseHostRule) };
      const httpGet = tool({
        name: "http_get",
        label: "Read a web address",
        description:
          "Reads an http or https address with GET and returns its text. Redirects are followed. Only hosts that the " +
          "person allowed can be read.",
        input,
        readOnly: true,
        async execute({ url }, call) {
          const signal = AbortSignal.any([call.signal, ctx.signal]);
          const page = await fetchPage(url, rules, resolveHost, signal);
          ctx.reportRuntimeState({ lastHost: hostOf(new URL(page.url)), lastStatus: page.status });
          return resultOf(page);
        },
      });
      return {
        toolsets: [{ id: "http", description: toolsetText(allowedHosts), tools: [httpGet] }],
        stop: async () => {},
      };
    },
  },
});

function toolsetText(allowedHosts: readonly string[]): string {
  return allowedHosts.length === 0
    ? "http_get reads web addresses, but no host is allowed yet."
    : `http_get reads web addresses on these hosts: ${allowedHosts.join(", ")}.`;
}

function resultOf(page: Page): ToolResult {
  const { text, ...details } = page;
  const head = [
    `HTTP ${page.status} ${page.statusText}`.trimEnd(),
    page.url,
    page.contentType ?? "no content type",
  ];
  return { content: [{ type: "text", text: `${head.join("\n")}\n\n${text ?? binaryText(page)}` }], details };
}

function binaryText(page: Page): string {
  const size = page.bytes === null ? "of unknown size" : `of ${page.bytes} bytes`;
  return `(${page.contentType ?? "binary data"} ${size}; not text, so it is not shown)`;
}
