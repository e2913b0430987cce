import { join } from "node:path";
import {
  type Artifact,
  type Consent,
  type InstallRequest,
  PatchbayError,
  type Plugin,
} from "../../../contract/index.ts";
import type { KeyedQueue } from "../../base/serial-queue.ts";
import { folderOf } from "../../runtimes/artifact.ts";
import type { Inspection } from "../../runtimes/runtime.ts";
import { FetchProcess } from "../fetch/fetch-process.ts";
import type { IntegrityCheck } from "../integrity.ts";
import type { JobRun, Step } from "../job-run.ts";
import type { PluginFolders } from "../plugin-folders.ts";
import type { CatalogServices } from "../services.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "../sources/acquisition.ts";
import { npmOptions } from "../sources/npm-configuration.ts";
import { openAcquisition } from "./acquire.ts";
import { assertNotTaken } from "./claims.ts";
import { consentFor, needsConsent } from "./consent.ts";
import { assertUnchanged, inspectPackage } from "./inspect-package.ts";
import { type Candidate, rowOf, sourceOf } from "./installed-row.ts";
import { placeBuilt } from "./place-built.ts";
import { switchTo } from "./switch-version.ts";

export interface InstallDependencies extends CatalogServices {
  folders: PluginFolders;
  checkIntegrity: IntegrityCheck;
  /** Makes jobs that change the same plugin key wait for each other. */
  lock: KeyedQueue;
}

/**
 * Takes a package through all phases of an installation. When a phase fails, everything of the package is removed. With
 * `updateOf`, the package must be a version of that plugin, whose present version runs until the new one has started.
 */
export async function install(
  run: JobRun,
  request: InstallRequest,
  deps: InstallDependencies,
  updateOf?: Plugin,
): Promise<Plugin> {
  const fetch = new FetchProcess(deps.platform, deps.storage.places.root);
  try {
    const context = await run.phase("resolve", async (step) => {
      const staging = await deps.folders.openStaging(run.job.id);
      return contextFor(request, staging, fetch, deps, step);
    });
    const candidate = await obtain(run, context, deps, updateOf);
    const allowScripts = await obtainConsent(run, request, candidate.consent, deps);
    return await deps.lock.run(candidate.inspection.manifestKey, () =>
      settle(run, context, candidate, allowScripts, deps),
    );
  } finally {
    fetch.close();
    await deps.folders
      .removeStaging(run.job.id)
      .catch((error: Error) => run.log(`What was fetched could not be removed yet: ${error.message}`));
  }
}

type OpenContext = AcquisitionContext & { acquisition: Acquisition };

async function contextFor(
  request: InstallRequest,
  staging: string,
  fetch: FetchProcess,
  deps: InstallDependencies,
  step: Step,
): Promise<OpenContext> {
  const context: AcquisitionContext = {
    request,
    runtimes: deps.runtimes,
    staging,
    fetch,
    defaultRegistry: deps.settings.get().registry,
    builtinDir: join(deps.platform.bundleDir, "..", "plugins"),
    npmCache: deps.storage.places.npmCache,
  };
  const acquisition = openAcquisition(context);
  await acquisition.resolve(step);
  return { ...context, acquisition };
}

async function obtain(
  run: JobRun,
  context: OpenContext,
  deps: InstallDependencies,
  updateOf: Plugin | undefined,
): Promise<Candidate> {
  const { acquisition, request } = context;
  run.learn({ sourceKind: acquisition.kind });
  if (acquisition.copies) await run.phase("download", (step) => acquisition.download(step));
  else run.skip("download", "verify");
  const pack = acquisition.copies
    ? await run.phase("verify", async (step) => {
        const verified = await acquisition.verify(step);
        if (request.allowScripts) await runScripts(verified, context, step);
        return verified;
      })
    : await acquisition.verify({ signal: run.signal, log: (text) => run.log(text), progress: () => {} });
  return run.phase("inspect", async (step) => {
    const { inspection, runtime } = await inspectPackage(pack.artifact, deps.runtimes, step.signal);
    run.learn({ pluginKey: inspection.manifestKey, pluginVersion: inspection.packageVersion });
    step.log(`${inspection.displayName} ${inspection.packageVersion}, written for ${inspection.runtime}`);
    for (const warning of inspection.warnings) step.log(warning);
    const installed = assertAllowed(inspection, acquisition, deps, updateOf);
    const source = sourceOf(request, acquisition, pack);
    const trust = runtime.trustOf?.(source) ?? acquisition.trust;
    const consent = consentFor({
      inspection,
      enforcement: runtime.enforcement,
      trust,
      risk: runtime.riskOf?.(inspection, trust) ?? null,
      source,
      publisher: pack.publisher,
      hasScripts: pack.wantScripts.length > 0 || inspection.consent.scripts.length > 0,
      installed,
    });
    return { pack, inspection, runtime, source, consent };
  });
}

/** The installed plugin that this package would replace, if any. */
function assertAllowed(
  inspection: Inspection,
  acquisition: Acquisition,
  deps: InstallDependencies,
  updateOf: Plugin | undefined,
): Plugin | undefined {
  if (updateOf && updateOf.manifestKey !== inspection.manifestKey) {
    throw new PatchbayError(
      "MANIFEST_CHANGED",
      `The new version calls itself “${inspection.manifestKey}” and is no version of “${updateOf.manifestKey}”.`,
      { help: "Install it as a plugin of its own if you want it." },
    );
  }
  assertNotTaken(inspection, acquisition.kind, deps.registry);
  return deps.registry.get(inspection.manifestKey);
}

/**
 * Asks for consent where it is needed. Resolves with true when the package's scripts may run; they may not unless the
 * person or the request allowed it.
 */
async function obtainConsent(
  run: JobRun,
  request: InstallRequest,
  consent: Consent,
  deps: InstallDependencies,
): Promise<boolean> {
  const allowedBefore = deps.registry.get(consent.manifestKey)?.scriptsAllowed ?? false;
  run.showConsent(consent);
  if (request.yes || !needsConsent(consent)) {
    if (needsConsent(consent)) assertRiskTaken(consent, request.acceptRisk);
    run.skip("consent");
    return request.allowScripts || allowedBefore;
  }
  return run.phase("consent", async (step) => {
    const answer = await run.askConsent(consent, step.signal);
    if (!answer.accept) {
      throw new PatchbayError("CONSENT_REFUSED", `${consent.displayName} was not installed: you declined.`);
    }
    assertRiskTaken(consent, request.acceptRisk || answer.acceptRisk);
    return request.allowScripts || answer.allowScripts;
  });
}

/** @throws PatchbayError TRUST_REFUSED */
function assertRiskTaken(consent: Consent, taken: boolean): void {
  if (consent.risk !== undefined && !taken) throw new PatchbayError("TRUST_REFUSED", consent.risk);
}

async function settle(
  run: JobRun,
  context: OpenContext,
  candidate: Candidate,
  allowScripts: boolean,
  deps: InstallDependencies,
): Promise<Plugin> {
  const { inspection, pack } = candidate;
  assertNotTaken(inspection, context.acquisition.kind, deps.registry);
  const installed = deps.registry.get(inspection.manifestKey);
  if (!context.acquisition.copies) {
    await prepareInPlace(run, candidate, allowScripts);
    const plugin = rowOf(candidate, pack.artifact, null, allowScripts, installed);
    await check(run, plugin, inspection, deps, installed);
    return plugin;
  }
  const placed = await run.phase("place", async (step) => {
    if (allowScripts && !context.request.allowScripts) await runScripts(pack, context, step);
    return placeBuilt(
      { from: folderOf(pack.artifact), inspection, runtime: candidate.runtime, installed, allowScripts },
      deps,
      step,
    );
  });
  const artifact: Artifact = { kind: "folder", dir: placed.dir };
  const plugin = rowOf(candidate, artifact, placed.treeHash, allowScripts, installed);
  try {
    await check(run, plugin, inspection, deps, placed.isNew ? installed : undefined);
  } catch (error) {
    if (placed.isNew) await deps.folders.remove(placed.dir);
    throw error;
  }
  return plugin;
}

/** Prepares a linked folder where it lies. Does nothing for an endpoint, which has no files. */
async function prepareInPlace(run: JobRun, candidate: Candidate, allowScripts: boolean): Promise<void> {
  const { runtime, pack } = candidate;
  const { artifact } = pack;
  if (artifact.kind === "endpoint" || !runtime.prepare) run.skip("place");
  else {
    await run.phase("place", async ({ signal, log }) => {
      await runtime.prepare?.(artifact.dir, { allowScripts, signal, log });
    });
  }
}

/**
 * Inspects a plugin with files again at its final place, then switches to it; the switch cannot be stopped. An endpoint
 * is not inspected again: what it offers may change at any time, and is reported when the plugin runs.
 */
async function check(
  run: JobRun,
  plugin: Plugin,
  inspection: Inspection,
  deps: InstallDependencies,
  replaces: Plugin | undefined,
): Promise<void> {
  await run.phase("check", async (step) => {
    if (plugin.artifact.kind === "folder") {
      const again = await inspectPackage(plugin.artifact, deps.runtimes, step.signal);
      assertUnchanged(inspection, again.inspection);
    }
    const problem = await deps.checkIntegrity(plugin);
    if (problem) throw new PatchbayError(problem.code, problem.message, problem);
    await run.commit(() => switchTo(plugin, replaces, deps, (text) => step.log(text)));
  });
}

async function runScripts(pack: AcquiredPackage, context: OpenContext, step: Step): Promise<void> {
  if (pack.wantScripts.length === 0) return;
  step.log(`Running the installation scripts of ${pack.wantScripts.join(", ")}`);
  await context.fetch.call(
    { op: "scripts", dir: folderOf(pack.artifact), options: await npmOptions(context) },
    step,
  );
}
