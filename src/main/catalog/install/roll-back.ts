import { isDeepStrictEqual } from "node:util";
import { type Consent, PatchbayError, type Plugin, type PluginVersion } from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";
import { consentFor } from "../consent/consent.ts";
import { proposedGrants } from "../consent/proposed-grants.ts";
import { type Agreed, obtainConsent } from "../consent/questions.ts";
import type { JobRun } from "../job-run.ts";
import { inspectPackage, isInspection, lookAt } from "./inspect-package.ts";
import type { InstallDependencies } from "./install.ts";
import { inAdvance } from "./requests.ts";
import { keptVersions, switchTo, versionOf } from "./switch-version.ts";

/**
 * Goes back to the newest kept version, when the person agrees to what then runs. Its files must be unchanged and it must
 * start for every agent that uses it, otherwise the current version stays. After that the current version is the one
 * that is kept.
 * @param answers what of the consent was given in advance
 */
export async function rollBack(
  run: JobRun,
  key: string,
  answers: Parameters<typeof inAdvance>[0],
  deps: InstallDependencies,
): Promise<Plugin> {
  run.skip("resolve", "download", "verify", "place");
  const { current, target } = versionsOf(key, deps);
  run.learn({ sourceKind: target.source.kind, pluginKey: key, pluginVersion: target.packageVersion });
  const undescribed = await run.phase("inspect", (step) =>
    assertIntact(withVersion(current, target), deps, step.signal),
  );
  const request = { ...inAdvance(answers), spec: key };
  const consent = consentTo(target, current, undescribed, deps);
  const agreed = await obtainConsent({ run, request, audit: deps.audit }, consent, current.scriptsAllowed);
  return deps.lock.run(key, async () => {
    const now = versionsOf(key, deps);
    if (!isDeepStrictEqual(now, { current, target })) {
      throw new PatchbayError("NO_OTHER_VERSION", `“${key}” was changed while you were asked.`, {
        help: "Begin again, to see what it would go back to now.",
      });
    }
    const plugin = withVersion(current, target, agreed);
    await run.phase("check", async (step) => {
      if (await assertIntact(plugin, deps, step.signal)) {
        const runtime = deps.runtimes.find(({ id }) => id === plugin.runtime);
        if (runtime) await lookAt(plugin.artifact, runtime, step.signal);
      }
      await run.commit(() =>
        switchTo(plugin, current, deps, (text) => step.log(text), { risk: consent.risk }),
      );
    });
    return plugin;
  });
}

function versionsOf(
  key: string,
  { registry }: InstallDependencies,
): { current: Plugin; target: PluginVersion } {
  const current = registry.get(key);
  const target = current?.previous[0];
  if (current && target) return { current, target };
  throw new PatchbayError("NO_OTHER_VERSION", `No earlier version of “${key}” is kept.`);
}

/** Checks the files of a version without running them. Resolves with true when only its code can say what it is. */
async function assertIntact(
  plugin: Plugin,
  deps: InstallDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const problem = await deps.checkIntegrity(plugin);
  if (problem) throw new PatchbayError(problem.code, problem.message, problem);
  const { found } = await inspectPackage(plugin.artifact, deps.runtimes, signal);
  return !isInspection(found);
}

/** What the person agreed to when they installed this version, shown again. */
function consentTo(
  target: PluginVersion,
  current: Plugin,
  fromCode: boolean,
  { registry, runtimes }: InstallDependencies,
): Consent {
  const { packageName, manifestKey, runtime: runtimeId, trust } = current;
  const runtime = runtimes.find(({ id }) => id === runtimeId);
  const inspection: Inspection = { ...target, packageName, manifestKey, runtime: runtimeId };
  const facts = {
    inspection,
    enforcement: runtime?.enforcementOf?.(inspection) ?? runtime?.enforcement ?? "",
    trust,
    risk: runtime?.riskOf?.(inspection, trust) ?? null,
    source: target.source,
    publisher: undefined,
    hasScripts: target.consent.scripts.length > 0,
    installed: current,
    readFrom: fromCode ? ("code" as const) : ("files" as const),
    tried: [],
    plugins: registry.list(),
  };
  return { ...consentFor(facts, null), grants: proposedGrants(target.consent, target) };
}

function withVersion(
  current: Plugin,
  target: PluginVersion,
  agreed?: Pick<Agreed, "grants" | "allowScripts">,
): Plugin {
  const { granted: _ofCurrent, skippedScripts: _alsoOfCurrent, ...same } = current;
  return {
    ...same,
    ...target,
    ...(agreed?.grants && { granted: agreed.grants }),
    scriptsAllowed: agreed?.allowScripts ?? false,
    previous: keptVersions([versionOf(current), ...current.previous.slice(1)], {
      artifact: target.artifact,
      treeHash: target.source.treeHash,
      integrity: target.source.integrity,
    }),
    updatedAt: new Date().toISOString(),
  };
}
