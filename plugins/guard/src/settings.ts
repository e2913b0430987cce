import { z } from "zod";

/** The rules that come with the plugin, with what their switch says. */
export const ruleTexts = {
  removeEverything: "Removing the workspace, the home folder or anything outside the workspace",
  formatDisk: "Formatting or overwriting a disk",
  forkBomb: "Programs that start themselves over and over",
  openPermissions: "Changing permissions of whole folders outside the workspace",
  downloadedScript: "Running a script straight from the network",
  forcePush: "git push --force",
  shutdown: "Shutting the computer down or ending every process",
} as const;
export type RuleId = keyof typeof ruleTexts;

const rule = (id: RuleId) => z.boolean().default(true).meta({ title: ruleTexts[id] });

const watched = (tool: string, argument: string) => ({
  tool: z
    .string()
    .min(1)
    .meta({ title: "Tool", description: `Its name, as in ${tool}; a * at the end stands for any ending.` }),
  argument: z
    .string()
    .min(1)
    .default(argument)
    .meta({ title: "Argument", description: `As in ${argument}.` }),
});

const defaultProtectedPaths = [
  "**/.env",
  "**/.env.local",
  "**/.git/**",
  "~/.ssh/**",
  "~/.gnupg/**",
  "~/.aws/**",
  "/etc/**",
  "/boot/**",
];

export const settingsSchema = z.object({
  rules: z
    .object({
      removeEverything: rule("removeEverything"),
      formatDisk: rule("formatDisk"),
      forkBomb: rule("forkBomb"),
      openPermissions: rule("openPermissions"),
      downloadedScript: rule("downloadedScript"),
      forcePush: rule("forcePush"),
      shutdown: rule("shutdown"),
    })
    .prefault({})
    .meta({ title: "Rules", description: "What is blocked in shell commands." }),
  blockedCommands: z
    .array(z.string().trim().min(1, "A blocked command is empty. Write how it begins, such as npm publish."))
    .default([])
    .meta({
      title: "More blocked commands",
      description: "How the command begins, such as npm publish. A * stands for anything.",
    }),
  protectedPaths: z
    .array(z.string().trim().min(1, "A protected path is empty. Write a path such as **/.env."))
    .default(defaultProtectedPaths)
    .meta({
      title: "Protected paths",
      description:
        "Files that may not be written: **/.env anywhere, ~/.ssh/** below the home folder, config/** in the workspace.",
    }),
  shellTools: z
    .array(z.object(watched("shell", "command")))
    .default([{ tool: "shell", argument: "command" }])
    .meta({ title: "Shell tools", description: "Tools that run a command, and the argument that holds it." }),
  fileTools: z
    .array(z.object(watched("write_file", "path")))
    .default([{ tool: "write_file", argument: "path" }])
    .meta({ title: "File tools", description: "Tools that write a file, and the argument that names it." }),
});
export type GuardSettings = z.infer<typeof settingsSchema>;

/** The whole configuration of the plugin for an agent. */
export const configSchema = z.object({ hooks: settingsSchema.prefault({}) });
