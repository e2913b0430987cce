import { resolve } from "node:path";
import { type Command, Option } from "commander";
import {
  type AgentThinking,
  type AgentView,
  agentThinkingSchema,
  type ChatLanguage,
  chatLanguageSchema,
  type ModelConfig,
  type PolicyRule,
  providerIds,
  providerOf,
  removedForDays,
} from "../../contract/index.ts";
import { addVoiceCommand } from "../agent-voice.ts";
import { addAgentToolCommands } from "../agents/agent-tools.ts";
import { addAgentWhyCommand } from "../agents/agent-why.ts";
import { addConversationCommands } from "../agents/conversations.ts";
import { type Perform, usageError, waitOption, withClient } from "../command.ts";
import { promptAgent } from "../prompt.ts";
import { addReplayCommand } from "../replay/replay-file.ts";
import { table } from "../terminal/output.ts";

/** `patchbay agent create | update | voice | tools | rule | why | session | replay | list | show | remove | prompt`. */
export function addAgentCommands(program: Command, perform: Perform): void {
  const agent = program.command("agent").description("agents: a model, instructions and a workspace folder");

  const create = withAgentOptions(agent.command("create <name>"))
    .description("create an agent")
    .option("--id <id>", "its id (default: made from the name)")
    .action((name: string, options: CreateOptions) => {
      const model = parseModel(create, options);
      return perform(
        withClient(
          async ({ output, cwd }, client) => {
            const wanted = { id: options.id, name, ...given(options, model, cwd) };
            const created = await client.agents.create(wanted);
            output.result(
              created,
              () => `${output.paint.good("✓")} ${created.name} is created; its id is ${created.id}.`,
            );
          },
          { firstAgent: false },
        ),
      );
    });

  const update = withAgentOptions(agent.command("update <id>"))
    .description("change an agent")
    .option("--name <name>", "its name")
    .option(
      "--allow <tool>",
      "let it use a tool without asking; `prefix*` for several (repeatable)",
      collect,
      [],
    )
    .option("--ask <tool>", "ask before it uses a tool (repeatable)", collect, [])
    .option("--deny <tool>", "never let it use a tool (repeatable)", collect, [])
    .addOption(
      new Option(
        "--chat-language <language>",
        "in which its channels and commands speak by themselves",
      ).choices(chatLanguageSchema.options),
    )
    .action((agentId: string, options: UpdateOptions) => {
      const model = parseModel(update, options);
      return perform(
        withClient(async ({ output, cwd }, client) => {
          const { policy, revision } = await client.agents.get({ agentId });
          const changed = await client.agents.update({
            agentId,
            name: options.name,
            ...given(options, model, cwd),
            policy: withRules(policy, options),
            chatLanguage: options.chatLanguage,
            revision,
          });
          output.result(changed, () => `${output.paint.good("✓")} ${changed.name} is saved.`);
        }),
      );
    });

  addVoiceCommand(agent, perform);
  addAgentToolCommands(agent, perform);
  addAgentWhyCommand(agent, perform);
  addConversationCommands(agent, perform);
  addReplayCommand(agent, perform);

  agent
    .command("list")
    .description("every agent")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const agents = await client.agents.list();
          output.result(agents, () =>
            agents.length === 0
              ? "No agents yet. Create one with `patchbay agent create <name>`."
              : table(
                  agents.map((one) => [
                    output.paint.bold(one.id),
                    one.name,
                    one.modelLabel,
                    pluginsText(one),
                  ]),
                ),
          );
        }),
      ),
    );

  agent
    .command("show <id>")
    .description("one agent with its settings")
    .action((agentId: string) =>
      perform(
        withClient(async ({ output }, client) => {
          const found = await client.agents.get({ agentId });
          output.result(found, () =>
            table([
              ["Agent", `${found.name} (${found.id})`],
              ["Model", found.modelLabel],
              ["Workspace", found.workspace],
              ["Plugins", pluginsText(found)],
              ["Instructions", found.instructions || "none"],
              ...found.policy.map((rule, index) => [
                index === 0 ? "Policy" : "",
                `${rule.tool}: ${rule.effect}`,
              ]),
            ]),
          );
        }),
      ),
    );

  agent
    .command("remove <id>")
    .description("remove an agent with its conversations and plugin settings; it can be restored for a while")
    .option("--yes", "do not ask")
    .action((agentId: string, options: { yes?: boolean }) =>
      perform(
        withClient(async ({ output, terminal, signal }, client) => {
          const found = await client.agents.get({ agentId });
          if (!options.yes && terminal.interactive && !output.json) {
            const question = `Remove ${found.name} with its conversations and settings? It is kept for ${removedForDays} days; see \`patchbay removed list\`.`;
            if (!(await terminal.confirm(question, signal))) {
              output.line("Nothing was removed.");
              return 1;
            }
          }
          await client.agents.remove({ agentId });
          output.result({ ok: true, agentId }, () => `${output.paint.good("✓")} ${found.name} is removed.`);
          return 0;
        }),
      ),
    );

  agent
    .command("prompt <agent> <text>")
    .description("run a turn and show it as it happens")
    .option("--session <id>", "go on with this conversation (default: a new one)")
    .option(
      "--attach <file...>",
      "files that go with the message, at most ten of 25 MB each, and resources of plugins by their address",
    )
    .option("--yes", "allow every tool call that asks")
    .option(...waitOption)
    .action((agentId: string, text: string, options: PromptOptions) =>
      perform(
        withClient((context, client, connection) =>
          promptAgent(context, client, connection, {
            agentId,
            text,
            sessionId: options.session,
            attach: options.attach ?? [],
            yes: options.yes ?? false,
            wait: options.wait ?? false,
          }),
        ),
      ),
    );
}

interface PromptOptions {
  session?: string;
  attach?: string[];
  yes?: boolean;
  wait?: boolean;
}

interface AgentOptions {
  model?: string;
  thinking?: AgentThinking;
  apiKey?: string;
  workspace?: string;
  instructions?: string;
}
interface CreateOptions extends AgentOptions {
  id?: string;
}
interface UpdateOptions extends AgentOptions {
  name?: string;
  chatLanguage?: ChatLanguage;
  allow: string[];
  ask: string[];
  deny: string[];
}

function withAgentOptions(command: Command): Command {
  return command
    .option(
      "--model <model>",
      "scripted:FILE, anthropic:MODEL, openai:MODEL, google:MODEL or another provider's, openai-compatible:MODEL@ADDRESS or none",
    )
    .option("--api-key <reference>", "the model's key as a secret: ${NAME}")
    .addOption(
      new Option("--thinking <level>", "how much the model thinks before it answers").choices(
        agentThinkingSchema.options,
      ),
    )
    .option("--workspace <dir>", "folder that its built-in tools work in")
    .option("--instructions <text>", "what it is told before every conversation");
}

/**
 * The options as input for the contract. Paths are made absolute, because the running app may have another working
 * folder.
 */
function given(options: AgentOptions, model: ModelConfig | undefined, cwd: string) {
  return {
    thinking: options.thinking,
    model: model?.kind === "scripted" ? { ...model, file: resolve(cwd, model.file) } : model,
    workspace: options.workspace && resolve(cwd, options.workspace),
    instructions: options.instructions,
  };
}

/**
 * The agent's rules with those of the options. They replace older rules for the same tool that hold for the owner.
 * Undefined without any option.
 */
function withRules(policy: PolicyRule[], options: UpdateOptions): PolicyRule[] | undefined {
  const rules = (["allow", "ask", "deny"] as const).flatMap((effect) =>
    options[effect].map((tool): PolicyRule => ({ tool, effect })),
  );
  if (rules.length === 0) return undefined;
  const replaced = new Set(rules.map((rule) => rule.tool));
  return [...policy.filter((rule) => rule.callers !== undefined || !replaced.has(rule.tool)), ...rules];
}

function collect(value: string, values: string[]): string[] {
  return [...values, value];
}

function parseModel(command: Command, options: AgentOptions): ModelConfig | undefined {
  if (options.model === undefined) return undefined;
  if (options.model === "none") return { kind: "none" };
  const at = options.model.indexOf(":");
  const kind = options.model.slice(0, at);
  const rest = options.model.slice(at + 1);
  if (at > 0 && rest !== "") {
    if (kind === "scripted") return { kind, file: rest };
    if (kind === "openai") return { kind, model: rest, apiKey: options.apiKey ?? "${OPENAI_API_KEY}" };
    if (kind === "anthropic") return { kind, model: rest, apiKey: options.apiKey ?? "${ANTHROPIC_API_KEY}" };
    const [, model, baseUrl] = /^(.+?)@([^@]+)$/.exec(rest) ?? [];
    if (kind === "openai-compatible" && model && baseUrl)
      return { kind, model, baseUrl, apiKey: options.apiKey };
    const provider = providerIds.find((id) => id === kind);
    if (provider)
      return {
        kind: "provider",
        provider,
        model: rest,
        apiKey: options.apiKey ?? `\${${providerOf(provider).keyVariable}}`,
      };
  }
  return usageError(
    command,
    "--model expects scripted:FILE, anthropic:MODEL, openai-compatible:MODEL@ADDRESS, or a provider such as google:MODEL",
  );
}

function pluginsText(agent: AgentView): string {
  const count = `${agent.pluginsOn} plugin${agent.pluginsOn === 1 ? "" : "s"} on`;
  if (agent.worst === "needs_setup") return `${count}, one needs setup`;
  return agent.worst === "problem" ? `${count}, one has a problem` : count;
}
