import { homedir, tmpdir } from "node:os";
import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { Inspector, type Refusal } from "./inspect.ts";
import { type Place, slashes } from "./rules/paths.ts";
import { configSchema, settingsSchema } from "./settings.ts";
import { quoteAll } from "./shell/unwrap.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "guard",
  displayName: "Guard",
  description: "Blocks destructive shell commands and writes to protected paths.",
  configSchema: schemaOf(configSchema),
  parseConfig: parserOf(configSchema),
  defaultConfig: { hooks: settingsSchema.parse({}) },
  permissions: { files: "none", subprocess: false },
  hooks: {
    events: ["tool.before@v1"],
    required: true,
    async start(config, ctx) {
      const settings = settingsSchema.parse(config ?? {});
      const inspector = new Inspector(settings, placeOf(ctx.workspace));
      let blocked = 0;
      ctx.on(
        "tool.before@v1",
        ({ toolName, args }) => {
          const refusal =
            firstRefusal(settings.shellTools, toolName, args, (command) => inspector.command(command)) ??
            firstRefusal(settings.fileTools, toolName, args, (path) => inspector.file(path));
          if (!refusal) return { allow: true };
          blocked += 1;
          ctx.logger.warn(`${toolName}: ${refusal.sentence}`);
          ctx.reportRuntimeState({ blocked, lastRule: refusal.rule, lastTool: toolName });
          return { allow: false, reason: refusal.sentence };
        },
        { priority: 10, failureMode: "fail" },
      );
      return { stop: async () => {} };
    },
  },
});

/** Used until the workspace is known, so that relative paths count as being inside it. */
const unknownWorkspace = "/.workspace/agent";

function placeOf(workspace = unknownWorkspace): Place {
  const folder = slashes(workspace).replace(/(.)\/+$/, "$1");
  return {
    home: slashes(homedir()),
    workspace: folder,
    cwd: folder,
    temporary: [...new Set(["/tmp", "/var/tmp", "/private/tmp", slashes(tmpdir())])],
  };
}

function firstRefusal(
  watched: readonly { tool: string; argument: string }[],
  toolName: string,
  args: Record<string, unknown>,
  judge: (text: string) => Refusal | null,
): Refusal | null {
  for (const { tool, argument } of watched) {
    const fits = tool.endsWith("*") ? toolName.startsWith(tool.slice(0, -1)) : toolName === tool;
    if (!fits || args[argument] === undefined) continue;
    const text = textOf(args[argument]);
    const found = text === null ? unreadable(toolName, argument) : judge(text);
    if (found) return found;
  }
  return null;
}

/** A list of texts is a command with its arguments. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  const isTexts = Array.isArray(value) && value.every((part): part is string => typeof part === "string");
  return isTexts ? quoteAll(value) : null;
}

function unreadable(toolName: string, argument: string): Refusal {
  return {
    rule: "unreadable",
    sentence: `Guard blocked ${toolName}: its argument "${argument}" is neither a text nor a list of texts and cannot be checked.`,
  };
}
