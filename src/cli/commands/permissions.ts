import { resolve } from "node:path";
import { type Command, Option } from "commander";
import {
  comparedGrants,
  type Grants,
  hostRuleSchema,
  PatchbayError,
  type PluginPermissions,
} from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import { type Output, table } from "../terminal/output.ts";

interface PermissionOptions {
  allowHost: string[];
  refuseHost: string[];
  network?: Grants["network"]["reach"];
  files?: Grants["files"]["workspace"];
  folder: string[];
  programs?: string;
  model?: "yes" | "no";
  reset?: boolean;
}

const collect = (value: string, values: string[]) => [...values, value];

/** `patchbay plugin permissions <agent> <key>`: what a plugin may reach, and what it reached and tried. */
export function addPermissionCommands(program: Command, perform: Perform): void {
  const plugin = program.commands.find((command) => command.name() === "plugin") as Command;
  const workspace = new Option("--files <access>", "the agent's workspace");
  const network = new Option("--network <reach>", "how far it may reach: nowhere, the named hosts, any host");
  plugin
    .command("permissions <agent> <key>")
    .description("show or change what a plugin may reach")
    .option(
      "--allow-host <host>",
      "allow a host, as api.example.com or *.example.com (repeatable)",
      collect,
      [],
    )
    .option("--refuse-host <host>", "refuse a host without asking (repeatable)", collect, [])
    .addOption(network.choices(["none", "hosts", "any"]))
    .addOption(workspace.choices(["none", "read", "workspace"]).argParser(accessOf))
    .option(
      "--folder <path[:rw]>",
      "allow to read a folder, or to change it with :rw (repeatable)",
      collect,
      [],
    )
    .option("--programs <which>", "programs that it may start: none, any, or names with commas between")
    .addOption(
      new Option("--model <answer>", "whether it may ask the agent's model; you are asked each time").choices(
        ["yes", "no"],
      ),
    )
    .option("--reset", "what it asked for and you agreed to when it was installed")
    .action((agentId: string, key: string, options: PermissionOptions) =>
      perform(withClient((context, client) => permissions(context, client, { agentId, key }, options))),
    );
}

function accessOf(text: string): Grants["files"]["workspace"] {
  if (text === "workspace") return "write";
  if (text === "none" || text === "read") return text;
  throw new PatchbayError("BAD_INPUT", `--files is none, read or workspace, not "${text}".`);
}

async function permissions(
  { output, cwd }: CliContext,
  client: Client,
  ref: { agentId: string; key: string },
  options: PermissionOptions,
): Promise<undefined> {
  const now = await client.agentPlugins.permissions(ref);
  const wanted = options.reset ? null : changedBy(now.grants, options, cwd);
  const isSame = wanted !== null && JSON.stringify(wanted) === JSON.stringify(now.grants);
  const { grew } = comparedGrants(now.grants, wanted ?? now.defaults);
  const change = { ...ref, revision: now.revision };
  const shown = isSame
    ? now
    : wanted !== null && grew.length === 0
      ? await client.agentPlugins.narrow({ ...change, grants: wanted })
      : await client.agentPlugins.grant({ ...change, grants: wanted });
  output.result(shown, () => described(shown, output));
}

function changedBy(grants: Grants, options: PermissionOptions, cwd: string): Grants {
  const { network, files, programs } = grants;
  const allowed = options.allowHost.map(rule);
  const refused = options.refuseHost.map(rule);
  const folders = options.folder.map((text) => folderOf(text, cwd));
  const replaced = new Set(folders.map(({ path }) => path));
  const reach = options.network ?? (allowed.length > 0 && network.reach === "none" ? "hosts" : network.reach);
  return {
    network: {
      reach,
      hosts: [...new Set([...network.hosts, ...allowed])].filter((host) => !refused.includes(host)),
      refused: [...new Set([...network.refused, ...refused])].filter((host) => !allowed.includes(host)),
    },
    files: {
      workspace: options.files ?? files.workspace,
      folders: [...files.folders.filter(({ path }) => !replaced.has(path)), ...folders],
    },
    programs: options.programs === undefined ? programs : programsOf(options.programs),
    ...((options.model === undefined ? grants.model : options.model === "yes") && { model: true }),
  };
}

function rule(text: string): string {
  const parsed = hostRuleSchema.safeParse(text.trim().toLowerCase());
  if (parsed.success) return parsed.data;
  throw new PatchbayError("BAD_INPUT", `"${text}" is no host.`, {
    help: "Write it as api.example.com, *.example.com or localhost:8080.",
  });
}

function folderOf(text: string, cwd: string): Grants["files"]["folders"][number] {
  const [, path = "", mode] = /^(.+?)(:rw|:ro)?$/.exec(text) ?? [];
  return { path: resolve(cwd, path), access: mode === ":rw" ? "write" : "read" };
}

function programsOf(text: string): Grants["programs"] {
  if (text === "none" || text === "any") return { reach: text, names: [] };
  const names = text.split(",").map((name) => name.trim());
  return { reach: "named", names: names.filter((name) => name !== "") };
}

function described({ grants, seen, held }: PluginPermissions, { paint }: Output): string {
  const { network, files, programs } = grants;
  const reaches = {
    none: "none",
    hosts: network.hosts.join(", ") || "no host; each is asked for",
    any: ["every public host", ...network.hosts].join(", "),
  };
  const access = { none: "none", read: "the workspace, to read", write: "the workspace" };
  const folders = files.folders.map((one) => `${one.path}${one.access === "read" ? " (to read)" : ""}`);
  const rows = [
    [paint.dim("network"), reaches[network.reach]],
    ...(network.refused.length > 0 ? [[paint.dim("refused"), network.refused.join(", ")]] : []),
    [
      paint.dim("files"),
      [
        ...(files.workspace === "none" && folders.length > 0 ? [] : [access[files.workspace]]),
        ...folders,
      ].join(", "),
    ],
    [paint.dim("programs"), programs.reach === "named" ? programs.names.join(", ") : programs.reach],
    [paint.dim("model"), grants.model ? "may ask, and you are asked each time" : "may not ask"],
  ];
  const tried = seen.refused.map((one) => [
    paint.bad("refused"),
    `${one.wall} ${one.target}`,
    `${one.count}×`,
    paint.dim(one.at),
  ]);
  const reached = seen.reached.map((one) => [
    paint.good("reached"),
    one.target,
    `${one.count}×`,
    paint.dim(one.at),
  ]);
  // What nothing enforces is no fact.
  const unheld = held
    ? []
    : [paint.bad("Nothing on this machine holds it to that: it can do what you can. See `patchbay doctor`.")];
  return [
    table(rows),
    ...unheld,
    ...(tried.length + reached.length > 0 ? [table([...tried, ...reached])] : []),
  ].join("\n\n");
}
