import {
  type Consent,
  type ConsentQuestion,
  fromProblem,
  type Inherit,
  type Job,
  type JobPhase,
  PatchbayError,
  type Problem,
} from "../contract/index.ts";
import type { CliContext, Client, ExitCode } from "./context.ts";
import { newLines } from "./jobs/new-lines.ts";
import { checkLines } from "./terminal/check-words.ts";
import { describeConsent, describeFirstLook, describeMore } from "./terminal/consent-words.ts";
import type { Paint } from "./terminal/output.ts";

/** What a person said in advance, beside what the job itself was told. */
export interface Answers {
  allowScripts?: boolean;
  acceptRisk?: boolean;
}

/**
 * Shows an installation's phases as they pass, asks for consent at a terminal, and ends with the job.
 * @throws PatchbayError the job's own problem; CONSENT_REFUSED when nobody can be asked
 */
export async function followJob(
  context: CliContext,
  client: Client,
  job: Job,
  done: string,
  given: Answers = {},
): Promise<ExitCode | undefined> {
  const { output, signal } = context;
  const shown = new Set<JobPhase>();
  const cancel = () => client.jobs.cancel({ id: job.id }).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  let asked: ConsentQuestion | null = null;
  let isLooking = false;
  let last = job;
  let logged: Job["log"] = [];
  try {
    for await (const current of await client.jobs.watch({ id: job.id })) {
      last = current;
      if (!output.json) {
        if (isPlacing(current))
          for (const { text } of newLines(logged, current.log)) output.note(output.paint.dim(`  ${text}`));
        showPhases(context, current, shown);
      }
      logged = current.log;
      if (current.question && current.question !== asked) await decide(context, client, current, given);
      asked = current.question ?? asked;
      if (current.check?.state === "running" && current.pluginKey !== null && !isLooking) {
        isLooking = true;
        await waitForLook(context, client, current.pluginKey);
      }
      if (isFinal(current)) break;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    // Nobody would answer it any more.
    if (!isFinal(last)) await cancel();
  }
  if (last.status === "failed" && last.problem) throw fromProblem(withLog(last.problem, last.id));
  if (last.status !== "done")
    throw last.problem
      ? fromProblem(last.problem)
      : new PatchbayError("ABORTED", "The installation was stopped. Nothing was installed.");
  output.result(last, () => endingOf(last, done, output.paint));
  return 0;
}

/** Nobody presses "Wait longer" here: what may still be downloading is waited for as long as can be. */
async function waitForLook({ output }: CliContext, client: Client, key: string): Promise<void> {
  if (!output.json)
    output.note(
      output.paint.dim("It is installed, and started once to see what it offers. Ctrl-C leaves that out."),
    );
  await client.plugins.waitLonger({ key, most: true }).catch(() => {});
}

/** What is so when a job is done, in words. */
export function endingOf(
  { pluginKey, pluginVersion, upToDate, check, skippedScripts = [] }: Job,
  done: string,
  paint: Paint,
): string {
  const name = `${pluginKey} ${pluginVersion ?? ""}`.trimEnd();
  if (upToDate) return `${paint.good("✓")} ${name} is up to date; nothing was changed.`;
  const found = check ? checkLines(check, pluginKey ?? "").map((line) => `  ${line}`) : [];
  if (skippedScripts.length === 0) return [`${paint.good("✓")} ${name} is ${done}.`, ...found].join("\n");
  return [
    `${paint.warn("▲")} ${name} is ${done}, but not made ready: its scripts were not allowed (${skippedScripts.join(", ")}).`,
    `  Let them run: patchbay plugin update ${pluginKey} --allow-scripts`,
  ].join("\n");
}

/** While the package is put in its place, its scripts run: what they print is shown. */
function isPlacing({ phases, log }: Job): boolean {
  return log.length > 0 && phases.some(({ phase, status }) => phase === "place" && status === "running");
}

/** For a failure of which the last line says too little. */
function withLog(problem: Problem, id: string): Problem {
  if (!["SCRIPT_FAILED", "JOB_TIMEOUT", "UPDATE_ROLLED_BACK"].includes(problem.code)) return problem;
  return { ...problem, help: `Its whole log: patchbay job logs ${id}` };
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

/** Puts the job's question to the person. @throws PatchbayError CONSENT_REFUSED when nobody can be asked */
async function decide(context: CliContext, client: Client, job: Job, given: Answers): Promise<void> {
  const { output, terminal, signal } = context;
  const { id, question, consent, firstLook } = job;
  if (question === null) return;
  if (!terminal.interactive || output.json) {
    await client.jobs.consent({ id, accept: false, question });
    throw nobodyToAsk(job);
  }
  if (question === "look") {
    if (firstLook) output.note(describeFirstLook(firstLook));
    const accept = await terminal.confirm("Start it to see what it is?", signal);
    await client.jobs.consent({ id, accept, question });
    return;
  }
  if (!consent) return;
  output.note(question === "more" ? describeMore(consent) : describeConsent(consent));
  const accept =
    question === "install" && consent.risk !== undefined && !given.acceptRisk
      ? await takesRisk(context)
      : await terminal.confirm(questionOf(question, consent), signal);
  const allowScripts =
    accept &&
    question === "install" &&
    consent.hasScripts &&
    !given.allowScripts &&
    (await terminal.confirm("May it run its scripts now?", signal));
  const inherit =
    accept && question === "install" && consent.inheritance
      ? await askInheritance(context, consent.inheritance)
      : undefined;
  await client.jobs.consent({ id, accept, question, allowScripts, acceptRisk: accept, inherit });
}

/** The words that take a risk. A plain yes is typed too easily for that. */
const riskWords = "I take that risk";

async function takesRisk({ output, terminal, signal }: CliContext): Promise<boolean> {
  const typed = await terminal.ask(`To install it in spite of that, type "${riskWords}": `, signal);
  const taken = typed.trim().replace(/\.$/, "").toLowerCase() === riskWords.toLowerCase();
  if (!taken && typed.trim() !== "") output.note("These are other words, so the risk is not taken.");
  return taken;
}

/** What of the things that another package left behind the plugin takes over. */
async function askInheritance(
  { terminal, signal }: CliContext,
  { settings, rules, secrets }: NonNullable<Consent["inheritance"]>,
): Promise<Inherit> {
  return {
    settings: settings > 0 && (await terminal.confirm("May it take over the settings?", signal)),
    rules: rules > 0 && (await terminal.confirm("May it take over the rules and answers “always”?", signal)),
    secrets: secrets.length > 0 && (await terminal.confirm("May it take over the secrets?", signal)),
  };
}

function questionOf(question: "install" | "more", consent: Consent): string {
  if (question === "more") return "Install it with that as well?";
  if (consent.risk) return "You take its risk. Install it?";
  return consent.replaces === undefined ? "Install it?" : "Replace it?";
}

function nobodyToAsk({ question, consent, firstLook, spec }: Job): PatchbayError {
  const name = consent?.displayName ?? firstLook?.packageName ?? spec;
  const [message, help] = refusals[question ?? "install"];
  return new PatchbayError("CONSENT_REFUSED", `${name} ${message}`, {
    help: [help, ...(question === "install" && consent ? moreFlags(consent) : [])].join(" "),
    details: { ...(consent && { consent }), ...(firstLook && { firstLook }) },
  });
}

/** What has to be said besides `--yes`, and what can be. */
function moreFlags({ risk, hasScripts }: Consent): string[] {
  return [
    ...(risk ? [`${risk.replace(/\.$/, "")}: that risk is taken with --accept-risk.`] : []),
    ...(hasScripts ? ["Its scripts run only with --allow-scripts."] : []),
  ];
}

const refusals: Record<ConsentQuestion, [message: string, help: string]> = {
  look: [
    "does not say what it is, so it asks for your consent to be started, and nobody can be asked here.",
    "Look at what it is with a terminal, or agree in advance with --yes.",
  ],
  install: [
    "asks for your consent, and nobody can be asked here.",
    "Look at what it can do with a terminal, or agree in advance with --yes.",
  ],
  more: [
    "offers more than it says of itself, which nobody can agree to in advance.",
    "Install it at a terminal, where you are asked about that, or ask its author for a package that is true to its word.",
  ],
};
