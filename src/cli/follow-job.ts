import { type Consent, fromProblem, type Job, type JobPhase, PatchbayError } from "../contract/index.ts";
import type { CliContext, Client, ExitCode } from "./context.ts";
import { capabilityText } from "./terminal/words.ts";

/**
 * Shows an installation's phases as they pass, asks for consent at a terminal, and ends with the job.
 * @throws PatchbayError the job's own problem; CONSENT_REFUSED when nobody can be asked
 */
export async function followJob(
  context: CliContext,
  client: Client,
  job: Job,
  done: string,
): Promise<ExitCode | undefined> {
  const { output, signal } = context;
  const shown = new Set<JobPhase>();
  const cancel = () => client.jobs.cancel({ id: job.id }).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  let asked = false;
  let last = job;
  try {
    for await (const current of await client.jobs.watch({ id: job.id })) {
      last = current;
      if (!output.json) showPhases(context, current, shown);
      if (current.status === "waiting" && current.consent && !asked) {
        asked = true;
        await decide(context, client, current, current.consent);
      }
      if (isFinal(current)) break;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    // Nobody would answer it any more.
    if (!isFinal(last)) await cancel();
  }
  if (last.status === "failed" && last.problem) throw fromProblem(last.problem);
  if (last.status !== "done")
    throw last.problem
      ? fromProblem(last.problem)
      : new PatchbayError("ABORTED", "The installation was stopped. Nothing was installed.");
  output.result(
    last,
    () => `${output.paint.good("✓")} ${last.pluginKey} ${last.pluginVersion ?? ""} is ${done}.`,
  );
  return 0;
}

function isFinal(job: Job): boolean {
  return job.status === "done" || job.status === "failed" || job.status === "cancelled";
}

function showPhases({ output }: CliContext, job: Job, shown: Set<JobPhase>): void {
  for (const { phase, status, ms } of job.phases) {
    if (shown.has(phase) || (status !== "done" && status !== "failed")) continue;
    shown.add(phase);
    const mark = status === "done" ? output.paint.good("✓") : output.paint.bad("✗");
    output.line(
      `${mark} ${phase.padEnd(8)} ${ms === null ? "" : output.paint.dim(`${Math.round(ms)} ms`)}`.trimEnd(),
    );
  }
}

async function decide(context: CliContext, client: Client, job: Job, consent: Consent): Promise<void> {
  const { output, terminal, signal } = context;
  if (!terminal.interactive || output.json) {
    await client.jobs.consent({ id: job.id, accept: false });
    throw new PatchbayError(
      "CONSENT_REFUSED",
      `${consent.displayName} asks for your consent, and nobody can be asked here.`,
      {
        help: "Look at what it can do with a terminal, or agree in advance with --yes.",
        details: { consent },
      },
    );
  }
  output.note(describeConsent(consent));
  const question = consent.risk ? "Install it in spite of that?" : "Install it?";
  const accept = await terminal.confirm(question, signal);
  const allowScripts =
    accept && consent.hasScripts && (await terminal.confirm("May it run its scripts now?", signal));
  await client.jobs.consent({ id: job.id, accept, allowScripts, acceptRisk: accept });
}

function describeConsent(consent: Consent): string {
  const { hosts, files, programs, grants, scripts } = consent.asks;
  return [
    "",
    `${consent.displayName} ${consent.packageVersion} (${consent.packageName})`,
    `  ${consent.description}`,
    `  Publisher: ${consent.publisher ?? "unknown"} · trust: ${consent.trust}`,
    `  It can: ${capabilityText(consent.capabilities)}`,
    hosts && `  Network: ${hosts === "any" ? "anywhere" : hosts.join(", ")}`,
    files && `  Files: ${files}`,
    programs && "  It starts other programs.",
    grants.length > 0 && `  It also asks for: ${grants.join(", ")}`,
    consent.hasScripts &&
      "  It wants to run scripts at installation; they do not run without --allow-scripts.",
    ...scripts.map(({ name, command }) => `    ${name}: ${command}`),
    consent.risk && `  Risk: ${consent.risk}`,
    ...consent.changes.map((change) => `  New: ${change}`),
    ...consent.warnings.map((warning) => `  Note: ${warning}`),
    `  ${consent.enforcement}`,
  ]
    .filter((line) => typeof line === "string")
    .join("\n");
}
