import { type Agent, agentSchema, type ShellNetwork } from "../../../../contract/index.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import { type HostAnswer, HostJudge } from "../../../permissions/network-judge.ts";
import type { Dialogs } from "../../dialogs.ts";
import type { AgentDirectory, AuditSink } from "../../ports.ts";
import type { Span } from "../../record/recorder.ts";

export interface ShellNetworkOptions {
  agents: Pick<AgentDirectory, "get" | "revise">;
  dialogs: Pick<Dialogs, "ask">;
  audit: AuditSink;
  /** Ports of this computer at which Patchbay itself answers. */
  ownPorts?: (() => readonly number[]) | undefined;
}

/** The public internet, and a question for what is not public. */
const usual: ShellNetwork = { reach: "any", hosts: [], refused: [] };

export function shellNetworkOf(agent: Pick<Agent, "shellNetwork"> | undefined): ShellNetwork {
  return agent?.shellNetwork ?? usual;
}

/**
 * Decides about the connections of one command of the tool `shell`, by what the person set for the agent. "Once" holds
 * while the command runs; "always" is kept with the agent.
 */
export function shellJudges(
  options: ShellNetworkOptions,
): (agentId: string, during: Span["place"]) => HostJudge {
  const { agents, audit } = options;
  return (agentId, during) =>
    new HostJudge({
      grants: () => ({
        network: shellNetworkOf(agents.get(agentId)),
        files: { workspace: "write", folders: [] },
        programs: { reach: "any", names: [] },
      }),
      who: "commands of this agent",
      named: () => [],
      ownPorts: () => options.ownPorts?.() ?? [],
      ask: (rule, place, signal) => ask(agentId, rule, place, signal, during, options),
      keep: async (rule) => {
        await agents.revise(agentId, (agent) => ({ shellNetwork: withHost(shellNetworkOf(agent), rule) }));
        audit.record({ kind: "agent.shell_host_granted", agentId, tool: "shell", host: rule });
      },
      reached: () => {},
    });
}

function withHost(before: ShellNetwork, rule: string): ShellNetwork | undefined {
  return agentSchema.shape.shellNetwork.parse({
    ...before,
    hosts: [...new Set([...before.hosts, rule])],
    refused: before.refused.filter((each) => each !== rule),
  });
}

async function ask(
  agentId: string,
  rule: string,
  place: string | null,
  signal: AbortSignal,
  during: Span["place"],
  { agents, dialogs }: ShellNetworkOptions,
): Promise<HostAnswer> {
  const where = place === null ? rule : `${rule} (${place})`;
  const answer = await dialogs.ask(
    agentId,
    // No plugin has this key: it is the one of Patchbay's own tools.
    "",
    {
      kind: "select",
      message: `A command of ${cleanLine(agents.get(agentId)?.name ?? agentId)} wants to reach ${where}.`,
      options: [
        { value: "once", label: "Allow until the command ends" },
        { value: "always", label: "Always allow" },
        { value: "no", label: "Do not allow" },
      ],
      default: "no",
    },
    "shell",
    signal,
    { about: { kind: "host", host: rule, place }, during },
  );
  return answer === "once" || answer === "always" || answer === "no" ? answer : null;
}
