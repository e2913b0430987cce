import type { Artifact, Plugin } from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { Attempt } from "../../platform/walls/wall.ts";
import type { Inspection, PluginRuntime } from "../../runtimes/runtime.ts";
import { type Tried, triedInWords } from "../consent/tried.ts";
import type { JobRun } from "../job-run.ts";
import type { AuditTrail, CatalogServices } from "../services.ts";
import { lookAt } from "./inspect-package.ts";

/** Different attempts of one package that are told; further ones are not. */
const MOST_TOLD = 20;

/** The looks at the code of one package, and what it tried meanwhile and did not get. */
export class Looks {
  readonly #run: JobRun;
  readonly #audit: AuditTrail | undefined;
  readonly #told = new Map<string, Tried>();

  constructor(run: JobRun, audit: AuditTrail | undefined) {
    this.#run = run;
    this.#audit = audit;
  }

  /** What was tried so far, for the card of consent. */
  get tried(): Tried[] {
    return [...this.#told.values()];
  }

  /** @throws what the runtime's `look` throws */
  at(artifact: Artifact, runtime: PluginRuntime, signal: AbortSignal): Promise<Inspection> {
    return lookAt(artifact, runtime, signal, (attempt) => this.#tell(attempt));
  }

  #tell(attempt: Attempt): void {
    const { wall, seenBy } = attempt;
    const target = cleanLine(attempt.target).slice(0, 200);
    const sentence = triedInWords({ wall, target });
    if (this.#told.has(sentence) || this.#told.size >= MOST_TOLD) return;
    this.#told.set(sentence, { wall, target });
    this.#run.log(sentence);
    const pluginKey = this.#run.job.pluginKey;
    this.#audit?.record({
      kind: "wall.refused",
      ...(pluginKey !== null && { pluginKey }),
      spec: this.#run.job.spec,
      wall,
      target,
      seenBy,
    });
  }
}

/** Has it started once where only that shows what it offers. However that goes, it is installed. */
export async function lookAtOffer(
  run: JobRun,
  plugin: Plugin,
  { checks }: Pick<CatalogServices, "checks">,
): Promise<void> {
  // An agent may have started it meanwhile.
  if (!checks || checks.isHeard(plugin)) return;
  const looking = checks.check(plugin, { signal: run.leaving, log: (text) => run.log(text) });
  if (checks.isRunning(plugin)) run.learn({ check: { state: "running", until: null } });
  const check = await looking;
  if (check?.state === "failed") run.log(check.problem.message);
  if (check) run.learn({ check });
}
