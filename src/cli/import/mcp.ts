import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { noteWords } from "../../contract/found/note-words.ts";
import { type FoundPlugin, PatchbayError, type Problem, toProblem } from "../../contract/index.ts";
import { clientNames } from "../../main/runtimes/mcp/import/clients/place.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import type { Paint } from "../terminal/output.ts";
import { type Agreed, agreeing, install, lineOf, type Taken } from "./take.ts";

const MOST_BYTES = 1024 * 1024;
const clashes = ["skip", "replace", "rename"] as const;

interface McpOptions extends Agreed {
  from?: string;
  agent?: string;
  all?: boolean;
  clash: (typeof clashes)[number];
}

type Brought = Taken & { switchedOn: boolean };

/** `patchbay import mcp`. */
export function addMcpImport(parent: Command, perform: Perform): void {
  const command = parent
    .command("mcp")
    .description(
      "read the MCP servers of other programs, such as Claude Desktop, Cursor and VS Code, and install them",
    )
    .option(
      "--from <client|file>",
      `one program alone (${Object.keys(clientNames).join(", ")}), or a file of its form`,
    )
    .option(
      "--agent <id>",
      "switch them on for this agent, with the settings and secrets that they have there",
    )
    .option("--all", "also those that are switched off there")
    .addOption(
      new Option("--clash <way>", "what to do where a name is taken").choices(clashes).default("skip"),
    )
    .action((options: McpOptions) =>
      perform(
        withClient(async (context, client) => {
          const { servers, problem } = await found(context, client, options.from);
          if (!options.yes) return list(context, servers, problem);
          if (problem !== null) context.output.note(problem);
          const { agent } = options;
          const agentId = agent === undefined ? null : (await client.agents.get({ agentId: agent })).id;
          const results: Brought[] = [];
          const isMeant = ({ status }: FoundPlugin) =>
            status === "enabled" || (status === "disabled" && options.all);
          const own = new Set<string>();
          for (const one of servers.filter(isMeant)) {
            // What was brought just now is not replaced by its neighbour.
            const isTwin = options.clash === "replace" && own.has(one.server?.key ?? "");
            const clash = isTwin ? "skip" : options.clash;
            const result = await take(context, client, one, agentId, { ...options, clash });
            if (result.key !== undefined) own.add(result.key);
            results.push(result);
          }
          const left = servers
            .filter((one) => !isMeant(one))
            .map(({ name, status, reason }) => ({ name, status, reason }));
          context.output.result({ servers: results, left }, () =>
            [
              ...results.map((one) => `${lineOf(one)}${onWords(one, agentId)}`),
              ...left.map(
                ({ name, reason }) => `○ ${name}: ${reason ?? "switched off there, not installed"}`,
              ),
              ...(results.length + left.length === 0 ? ["No MCP servers were found."] : []),
            ].join("\n"),
          );
          return results.every(({ installed, problem: why }) => installed && why === null) ? 0 : 1;
        }),
      ),
    );
  for (const [flag, words] of agreeing) command.option(flag, words);
}

async function found(context: CliContext, client: Client, from: string | undefined) {
  const name = Object.entries(clientNames).find(([id]) => id === from)?.[1];
  if (from !== undefined && name === undefined)
    return {
      servers: await client.plugins.given({ text: await textOf(resolve(context.cwd, from)) }),
      problem: null,
    };
  const { plugins, looked } = await client.plugins.found();
  const servers = plugins.filter(
    ({ server }) => server && (name === undefined || server.clients.includes(name)),
  );
  return { servers, problem: looked.find(({ runtime }) => runtime === "mcp")?.problem ?? null };
}

/** @throws PatchbayError SOURCE_MISSING, READ_FAILED */
async function textOf(file: string): Promise<string> {
  const there = await stat(file).catch(() => null);
  if (there === null)
    throw new PatchbayError("SOURCE_MISSING", `There is no file ${file}, and no program is called so.`, {
      help: `Give a file, or one of ${Object.keys(clientNames).join(", ")}.`,
    });
  if (!there.isFile() || there.size > MOST_BYTES)
    throw new PatchbayError("READ_FAILED", `${file} is no plain file of at most 1 MB.`);
  return readFile(file, "utf8");
}

/** Installs one server and switches it on. One that fails stops no other. */
async function take(
  context: CliContext,
  client: Client,
  { name, spec, installed, server }: FoundPlugin,
  agentId: string | null,
  options: McpOptions,
): Promise<Brought> {
  const taken =
    installed === null
      ? await installAs(
          context,
          client,
          { name, spec, key: server?.key ?? name, isTaken: await isTaken(client, server) },
          options,
        )
      : { name, spec, installed: true, problem: null, key: installed };
  if (!taken.installed || taken.key === undefined || agentId === null) return { ...taken, switchedOn: false };
  const problem = await bring(client, agentId, taken.key);
  return { ...taken, problem, switchedOn: problem === null };
}

/** Whether a plugin has its name: one that was there before, or a server that was installed just now. */
async function isTaken(client: Client, server: FoundPlugin["server"]): Promise<boolean> {
  return (await client.plugins.list()).some(({ manifestKey }) => manifestKey === server?.key);
}

async function installAs(
  context: CliContext,
  client: Client,
  { name, spec, key, isTaken: taken }: { name: string; spec: string; key: string; isTaken: boolean },
  options: McpOptions,
): Promise<Taken> {
  if (!taken) return install(context, client, { name, spec }, options);
  switch (options.clash) {
    case "skip": {
      const problem = new PatchbayError("KEY_TAKEN", `Another plugin has the name ${key}.`, {
        help: "Bring it with --clash rename or --clash replace.",
        details: { key },
      });
      return { name, spec, installed: false, problem: problem.toProblem() };
    }
    case "replace":
      return install(context, client, { name, spec, replace: true }, options);
    case "rename": {
      const keys = new Set((await client.plugins.list()).map(({ manifestKey }) => manifestKey));
      let free = `${key}-2`;
      for (let count = 3; keys.has(free); count++) free = `${key}-${count}`;
      return install(context, client, { name, spec, key: free }, options);
    }
  }
}

/** Why it does not run; null when it does, or starts when it is used. */
async function bring(client: Client, agentId: string, key: string): Promise<Problem | null> {
  try {
    const { instance, lastError } = await client.agentPlugins.bring({ agentId, key });
    if (instance.state !== "failed" && instance.state !== "quarantined") return null;
    return lastError ?? instance.reason;
  } catch (error) {
    return toProblem(error);
  }
}

function list({ output }: CliContext, servers: FoundPlugin[], problem: string | null): 0 {
  output.result({ servers, problem }, () =>
    [
      ...(servers.length === 0
        ? ["No MCP servers of other programs were found."]
        : servers.flatMap((one) => linesOf(one, output.paint))),
      ...(problem === null ? [] : [output.paint.warn(`▲ ${problem}`)]),
      ...(servers.length === 0
        ? []
        : [
            "Install those that are switched on with --yes, and hand them over with --agent. Nothing of the other programs is changed.",
          ]),
    ].join("\n"),
  );
  return 0;
}

function linesOf({ name, server, status, installed }: FoundPlugin, paint: Paint): string[] {
  if (!server) return [];
  const { clients, command, inputs, notes } = server;
  const mark =
    status === "enabled" ? paint.good("●") : status === "disabled" ? paint.dim("○") : paint.bad("✗");
  const secrets = inputs.filter(({ secret }) => secret).map((one) => one.name);
  return [
    `${mark} ${paint.bold(name)}  ${clients.join(", ")}${installed === null ? "" : `  installed as ${installed}`}`,
    ...(command === "" ? [] : [`  ${command}`]),
    ...(secrets.length === 0 ? [] : [`  secret: ${secrets.join(", ")}`]),
    ...notes.map((note) => paint.warn(`  ▲ ${noteWords(note)}`)),
  ];
}

function onWords({ installed, switchedOn, problem }: Brought, agentId: string | null): string {
  if (!installed || agentId === null) return "";
  if (switchedOn) return `, switched on for ${agentId}`;
  return `, but not running for ${agentId}: ${[problem?.message, problem?.help].filter(Boolean).join(" ")}`;
}
