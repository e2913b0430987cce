import type { DiagnosticsTopic, Job, LogEntry } from "../../contract/index.ts";
import { diagnose } from "./doctor.ts";
import { ownProcess, versions } from "./machine.ts";
import type { DiagnosticsSources } from "./sources.ts";
import { storeFiles, tailsOfDays, tailsOfTraces } from "./store-files.ts";

/** A file of the report before anything was taken out of it. */
export interface Draft {
  name: string;
  topic: DiagnosticsTopic;
  text: string;
}

const mostLogLines = 1_000;
const mostAuditLines = 500;
const tracesOfAgent = 3;
const mostTraceBytes = 128 * 1024;

/**
 * Gathers the files of a report. What the person wrote to agents is only in the traces, which the person can leave out.
 */
export async function gatherDrafts(services: DiagnosticsSources): Promise<Draft[]> {
  const { places, agents } = services;
  return [
    json("versions.json", "versions", versions(services)),
    json("checks.json", "checks", await diagnose(services)),
    json("settings.json", "settings", services.settings.get()),
    json("agents.json", "agents", agentFacts(services)),
    json("plugins.json", "plugins", services.views.plugins()),
    json("instances.json", "instances", instanceFacts(services)),
    ...logs(services),
    json("jobs.json", "jobs", services.jobs.list().map(withoutRepeats)),
    { name: "audit.jsonl", topic: "audit", text: tailsOfDays(places.audit, mostAuditLines) },
    ...agents
      .list()
      .flatMap(({ id }) => tailsOfTraces(places.sessions(id), id, tracesOfAgent, mostTraceBytes))
      .map(({ name, text }): Draft => ({ name, topic: "traces", text })),
    json("secrets.json", "secrets", { vault: services.vault.status(), stored: services.views.secrets() }),
    json("store.json", "store", storeFiles(places.root)),
    json("process.json", "process", ownProcess(services)),
    json("notices.json", "notices", services.notices.list()),
  ];
}

function json(name: string, topic: DiagnosticsTopic, value: unknown): Draft {
  return { name, topic, text: `${JSON.stringify(value, null, 2)}\n` };
}

/** Facts about agents. The instructions are private: only their length is given. */
function agentFacts({ agents, approvals }: DiagnosticsSources) {
  return agents.list().map(({ instructions, ...agent }) => ({
    ...agent,
    instructionsLength: instructions.length,
    waitingApprovals: approvals.list().filter(({ agentId }) => agentId === agent.id).length,
  }));
}

function instanceFacts({ agents, agentPlugins, views }: DiagnosticsSources) {
  return agents.list().flatMap(({ id }) =>
    agentPlugins.list(id).map((row) => {
      const { plugin, ...view } = views.agentPlugin(id, row);
      return { ...view, installed: plugin !== null };
    }),
  );
}

function logs({ agents, agentPlugins, pool }: DiagnosticsSources): Draft[] {
  return agents.list().flatMap(({ id }) =>
    agentPlugins.list(id).flatMap(({ pluginKey }): Draft[] => {
      const entries = pool.logs(id, pluginKey, { limit: mostLogLines });
      if (entries.length === 0) return [];
      return [
        { name: `logs/${id}/${pluginKey}.log`, topic: "logs", text: `${entries.map(lineOf).join("\n")}\n` },
      ];
    }),
  );
}

function lineOf({ at, level, origin, text }: LogEntry): string {
  return `${at} ${level.padEnd(5)} ${origin.padEnd(8)} ${text.replaceAll("\n", "\n    ")}`;
}

/** A job without its consent text, which repeats what the plugin's own file of the report says. */
function withoutRepeats({ consent, ...job }: Job) {
  return { ...job, consentAsked: consent !== null };
}
