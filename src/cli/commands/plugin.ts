import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { type AgentPluginView, PatchbayError, type PluginView } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import { type Answers, followJob } from "../follow-job.ts";
import { addFoundCommand } from "../import/found.ts";
import { describePlugin, describeRow } from "../plugin-words.ts";
import { table } from "../terminal/output.ts";
import { capabilityText, stateText } from "../terminal/words.ts";

/** What is installed, and installing: `patchbay plugin install | update | rollback | uninstall | list | info`. */
export function addPluginCommands(program: Command, perform: Perform): void {
  const plugin = program.command("plugin").description("install plugins and switch them on for agents");

  plugin
    .command("install <spec>")
    .description(
      "install a plugin of Patchbay by its name, or from an npm name, owner/repo[@ref] or owner/repo/folder on GitHub, a .tgz, a folder, a git URL, or the command line or settings of an MCP server",
    )
    .option("--link", "use the folder in place, for development")
    .option(
      "--yes",
      "agree to what the plugin asks for without being asked, and to starting it to see what that is",
    )
    .option(
      "--look",
      "start a package that does not say what it is, walled in; you are asked again before it is installed",
    )
    .option("--allow-scripts", "run the package's own build and installation scripts")
    .option("--accept-risk", "install although nobody known vouches for it, knowingly")
    .option("--registry <url>", "npm registry to ask")
    .option("--integrity <sri>", "refuse a package file with another integrity")
    .option("--key <name>", "the key to install it under, where its own is taken")
    .action((spec: string, options: InstallOptions) =>
      perform(
        withClient(async (context, client) => {
          const job = await client.jobs.install({
            spec: await ownOrGiven(context, client, absoluteSpec(spec, context.cwd)),
            link: options.link ?? false,
            yes: options.yes ?? false,
            look: options.look ?? false,
            allowScripts: options.allowScripts ?? false,
            acceptRisk: options.acceptRisk ?? false,
            registry: options.registry,
            expectedIntegrity: options.integrity,
            key: options.key,
          });
          return followJob(context, client, job, "installed", options);
        }),
      ),
    );

  plugin
    .command("update <key>")
    .description("install a newer version; the old one stays if the new one does not start")
    .option("--spec <spec>", "what to update to (default: where it came from)")
    .option("--yes", "replace the old version, and agree to what the new one asks for, without being asked")
    .option("--allow-scripts", "run the package's own build and installation scripts")
    .option("--accept-risk", "update although nobody known vouches for it, knowingly")
    .option("--registry <url>", "npm registry to ask")
    .action((key: string, options: UpdateOptions) =>
      perform(
        withClient(async (context, client) => {
          const spec = options.spec && absoluteSpec(options.spec, context.cwd);
          const job = await client.plugins.update({
            key,
            spec,
            yes: options.yes ?? false,
            allowScripts: options.allowScripts ?? false,
            acceptRisk: options.acceptRisk ?? false,
            registry: options.registry,
          });
          return followJob(context, client, job, "updated", options);
        }),
      ),
    );

  plugin
    .command("rollback <key>")
    .description("go back to the version before the last update")
    .option("--yes", "agree to what then runs without being asked")
    .option("--accept-risk", "go back although nobody known vouches for it, knowingly")
    .action((key: string, options: RollbackOptions) =>
      perform(
        withClient(async (context, client) => {
          const { yes = false, acceptRisk = false } = options;
          const job = await client.plugins.rollback({ key, yes, acceptRisk });
          return followJob(context, client, job, "rolled back", options);
        }),
      ),
    );

  plugin
    .command("uninstall <key>")
    .description("remove a plugin; it can be restored with its settings for a while")
    .action((key: string) =>
      perform(
        withClient(async ({ output }, client) => {
          await client.plugins.uninstall({ key });
          output.result({ ok: true, key }, () => `${output.paint.good("✓")} ${key} is uninstalled.`);
        }),
      ),
    );

  plugin
    .command("list")
    .description("every plugin: loaded, failed to load or not in the catalogue")
    .option("--agent <id>", "with the state of each for this agent")
    .action((options: { agent?: string }) =>
      perform(withClient((context, client) => listPlugins(context, client, options.agent))),
    );

  addFoundCommand(plugin, perform);

  plugin
    .command("info <key>")
    .description("one plugin: what it can do, where it came from, who uses it")
    .option("--agent <id>", "with its state and settings for this agent")
    .action((key: string, options: { agent?: string }) =>
      perform(
        withClient(async ({ output }, client) => {
          if (options.agent === undefined) {
            const found = await client.plugins.get({ key });
            output.result(found, () => describePlugin(found));
            return;
          }
          const row = await client.agentPlugins.get({ agentId: options.agent, key });
          output.result(row, () => describeRow(row, output.paint));
        }),
      ),
    );
}

interface RollbackOptions extends Pick<Answers, "acceptRisk"> {
  yes?: boolean;
}

interface UpdateOptions extends Answers {
  spec?: string;
  yes?: boolean;
  registry?: string;
}

interface InstallOptions extends Answers {
  link?: boolean;
  yes?: boolean;
  look?: boolean;
  registry?: string;
  integrity?: string;
  key?: string;
}

/** A path is made absolute, because the running app may have another working folder. */
function absoluteSpec(spec: string, cwd: string): string {
  // A command line, and settings of a server.
  if (/^\s*[{"[`]/.test(spec) || (/\s/.test(spec.trim()) && !existsSync(resolve(cwd, spec)))) return spec;
  if (/^[a-z][a-z0-9+.-]*:/i.test(spec) && !/^[a-z]:[\\/]/i.test(spec)) return spec;
  if (spec.startsWith("~/")) return resolve(homedir(), spec.slice(2));
  const looksLikePath = /^\.{0,2}[\\/]|^\.{1,2}$|^[a-z]:[\\/]|\.(tgz|tar\.gz)$/i.test(spec);
  const path = resolve(cwd, spec);
  return looksLikePath || (existsSync(path) && !spec.startsWith("@")) ? path : spec;
}

type Mark = "loaded" | "failed to load" | "not in catalogue";
interface Listed {
  key: string;
  mark: Mark;
  plugin: PluginView | null;
  row: AgentPluginView | null;
}

async function listPlugins(
  { output }: CliContext,
  client: Parameters<Parameters<typeof withClient>[0]>[1],
  agentId: string | undefined,
): Promise<undefined> {
  // Listing the plugins looks at their files; what an agent has of them is asked for after that.
  const plugins = await client.plugins.list();
  const [rows, keys] = await Promise.all([
    agentId === undefined ? [] : client.agentPlugins.list({ agentId }),
    agentId === undefined
      ? client.app.snapshot().then(({ agentPlugins }) => agentPlugins.map(({ pluginKey }) => pluginKey))
      : [],
  ]);
  const rowOf = (key: string) => rows.find((row) => row.pluginKey === key) ?? null;
  const listed: Listed[] = plugins.map((plugin) => ({
    key: plugin.manifestKey,
    mark: plugin.loadProblem ? "failed to load" : "loaded",
    plugin,
    row: rowOf(plugin.manifestKey),
  }));
  const installed = new Set(plugins.map(({ manifestKey }) => manifestKey));
  for (const key of new Set([...keys, ...rows.map(({ pluginKey }) => pluginKey)]).difference(installed))
    listed.push({ key, mark: "not in catalogue", plugin: null, row: rowOf(key) });
  listed.sort((a, b) => a.key.localeCompare(b.key));
  output.result({ plugins: listed }, () => {
    if (listed.length === 0) return "No plugins yet. Install one with `patchbay plugin install <name>`.";
    const { paint } = output;
    const marks: Record<Mark, string> = {
      loaded: paint.good("✓ loaded"),
      "failed to load": paint.bad("✗ failed to load"),
      "not in catalogue": paint.warn("? not in catalogue"),
    };
    return table(
      listed.map(({ key, mark, plugin, row }) => [
        paint.bold(key),
        plugin?.packageVersion ?? "",
        plugin?.runtime ?? "",
        marks[mark],
        ...(agentId === undefined ? [] : [row ? stateText(row, paint) : paint.dim("○ Off")]),
        plugin?.loadProblem?.message ?? (plugin ? capabilityText(plugin.capabilities) : ""),
      ]),
    );
  });
}

/**
 * A bare name that is in Patchbay's own catalogue means the plugin there. On npm, a package of the same name belongs to
 * somebody else.
 */
async function ownOrGiven({ output }: CliContext, client: Client, spec: string): Promise<string> {
  if (!/^[a-z0-9-]+$/.test(spec)) return spec;
  const { entries, near = [] } = await client.catalog.search({ query: spec, scope: "catalogues" });
  const own = entries.find((entry) => entry.spec === `builtin:${spec}`);
  const meant = near.map((entry) => `${entry.displayName} (${entry.spec})`).join(", ");
  if (meant !== "")
    throw new PatchbayError("PACKAGE_NOT_FOUND", `Patchbay knows no plugin ${spec}. Did you mean ${meant}?`, {
      help: `For the npm package of exactly that name, write ${spec}@latest.`,
    });
  if (!own) return spec;
  output.note(
    `${own.displayName} comes with Patchbay. For the npm package of that name, write ${spec}@latest.`,
  );
  return own.spec;
}

export function assertPlugin(row: AgentPluginView): asserts row is AgentPluginView & { plugin: PluginView } {
  if (row.plugin === null)
    throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${row.pluginKey} is not installed.`);
}
