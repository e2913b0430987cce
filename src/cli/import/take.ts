import { PatchbayError, type Problem } from "../../contract/index.ts";
import type { CliContext, Client } from "../context.ts";

/** What is agreed to before anything is installed. */
export interface Agreed {
  yes?: boolean;
  allowScripts?: boolean;
  acceptRisk?: boolean;
}

export interface Taken {
  name: string;
  spec: string;
  installed: boolean;
  problem: Problem | null;
  skippedScripts?: string[];
  /** The key of the plugin, once it is installed. */
  key?: string;
}

/** Adds the options with which every import is agreed to. */
export const agreeing = [
  ["--yes", "agree to what the plugins ask for; without it they are only listed"],
  ["--allow-scripts", "run the plugins' own build and installation scripts"],
  ["--accept-risk", "also those that nobody known vouches for, knowingly"],
] as const;

/** Installs one plugin. One that fails stops no other: why is in the result. @throws PatchbayError ABORTED */
export async function install(
  context: CliContext,
  client: Client,
  { name, spec, key, replace }: { name: string; spec: string; key?: string; replace?: boolean },
  options: Agreed,
): Promise<Taken> {
  context.output.note(`${name} from ${spec} …`);
  const job = await client.jobs.install({
    spec,
    yes: true,
    allowScripts: options.allowScripts ?? false,
    acceptRisk: options.acceptRisk ?? false,
    ...(key !== undefined && { key }),
    ...(replace && { replace }),
  });
  const cancel = () => void client.jobs.cancel({ id: job.id }).catch(() => {});
  context.signal.addEventListener("abort", cancel, { once: true });
  try {
    for await (const state of await client.jobs.watch({ id: job.id })) {
      if (state.endedAt === null) continue;
      const { status, problem, skippedScripts, pluginKey } = state;
      const installed = status === "done";
      return {
        name,
        spec,
        installed,
        problem,
        ...(skippedScripts && { skippedScripts }),
        ...(installed && pluginKey !== null && { key: pluginKey }),
      };
    }
  } finally {
    context.signal.removeEventListener("abort", cancel);
  }
  throw new PatchbayError("ABORTED", "The installation was stopped.");
}

export function lineOf({ name, installed, problem, skippedScripts = [] }: Taken): string {
  if (!installed)
    return `✗ ${name}: ${[problem?.message ?? "not installed", problem?.help].filter(Boolean).join(" ")}`;
  if (skippedScripts.length === 0) return `✓ ${name}`;
  return `▲ ${name}: installed, but not made ready; its scripts run with --allow-scripts: ${skippedScripts.join(", ")}`;
}
