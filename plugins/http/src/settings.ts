import { z } from "zod";
import { parseHostRule } from "./hosts.ts";

const hostRule = z.string().superRefine((text, ctx) => {
  try {
    parseHostRule(text);
  } catch (error) {
    ctx.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
  }
});

export const settingsSchema = z.object({
  allowedHosts: z
    .array(hostRule)
    .default([])
    .meta({
      title: "Allowed hosts",
      "x-patchbay": {
        whenEmpty: "No host is allowed yet: add one.",
        count: { one: "{count} host allowed", other: "{count} hosts allowed" },
        hosts: true,
      },
      description:
        "Host names that the agent may read, such as example.com. *.example.com covers every name below it; " +
        "example.com:8080 only that port. An empty list allows nothing.",
    }),
  allowPrivate: z.boolean().default(false).meta({
    title: "Allow private addresses",
    description:
      "Lets allowed hosts be on this computer or in the local network. Leave it off unless you need it.",
  }),
  maxBytes: z
    .number()
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(1024 * 1024)
    .meta({ title: "Size limit (bytes)", description: "The largest answer that is read. 1048576 is 1 MiB." }),
  timeoutSeconds: z.number().min(1).max(110).default(20).meta({
    title: "Time limit (seconds)",
    description: "How long one request may take, redirects included.",
  }),
});
export type HttpSettings = z.infer<typeof settingsSchema>;

/** The whole configuration of the plugin for an agent. */
export const configSchema = z.object({ tools: settingsSchema.prefault({}) });
