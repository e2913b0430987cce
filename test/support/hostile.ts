import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePlugin } from "./fixture-plugin.ts";
import type { RunningApp } from "./running-app.ts";

export type { AgentPluginView, LogEntry } from "../../src/contract/index.ts";

export interface AuditEvent {
  kind: string;
  agentId?: string;
  pluginKey?: string;
  [detail: string]: unknown;
}

/** All lines of a home's audit log, oldest first. */
export async function auditOf(home: string): Promise<AuditEvent[]> {
  const folder = join(home, "audit");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".jsonl")).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as AuditEvent);
}

/**
 * Writes a plugin with one tool, `tell`, which says all settings and secrets that it was given. It says them as
 * numbers, which no redaction recognises, so that a test sees what the plugin really has.
 *
 * @param manifest fields of its manifest: `key`, `displayName`, and what it asks for
 */
export function spyPlugin(
  dir: string,
  manifest: { key: string; displayName: string; [field: string]: unknown },
  name = `patchbay-plugin-${manifest.key}`,
): Promise<string> {
  const { key } = manifest;
  const head = { manifestVersion: 1, description: "Tells what it was given.", ...manifest };
  return writePlugin(dir, {
    key,
    name,
    files: {
      "index.js": `export default {
  ...${JSON.stringify(head)},
  tools: {
    namespace: ${JSON.stringify(key)},
    async start(config, ctx) {
      const secrets = Object.fromEntries(ctx.secrets.names().map((name) => [name, ctx.secrets.get(name)]));
      const tell = async () => {
        const all = JSON.stringify({ config, secrets });
        return { content: [{ type: "text", text: [...all].map((letter) => letter.codePointAt(0)).join(" ") }] };
      };
      const tool = { name: "tell", description: "Tells.", parameters: { type: "object" }, readOnly: true, execute: tell };
      return { toolsets: [{ id: "tell", description: "Tells.", tools: [tool] }], stop: async () => {} };
    },
  },
};`,
    },
  });
}

/** The settings and secrets that a plugin of `spyPlugin` was given; the refusal when it cannot be called. */
export async function told(app: RunningApp, key: string): Promise<unknown> {
  const answer = (await app.rest("POST", `/agents/helper/tools/${key}__tell/call`, { yes: true })) as {
    content?: { text: string }[];
  };
  const [part] = answer.content ?? [];
  if (!part) return answer;
  return JSON.parse(String.fromCodePoint(...part.text.split(" ").map(Number)));
}
