import { join } from "node:path";
import {
  type Artifact,
  type Consent,
  type Inherit,
  type InstallRequest,
  PatchbayError,
  type Plugin,
} from "../../../contract/index.ts";
import type { KeyedQueue } from "../../base/serial-queue.ts";
import type { Inspection } from "../../runtimes/runtime.ts";
import { consentFor } from "../consent/consent.ts";
import { type Agreed, obtainConsent, obtainFirstLook, obtainMore } from "../consent/questions.ts";
import { FetchProcess } from "../fetch/fetch-process.ts";
import type { IntegrityCheck } from "../integrity.ts";
import type { JobRun, Step } from "../job-run.ts";
import type { PluginFolders } from "../plugin-folders.ts";
import type { CatalogServices } from "../services.ts";
import type { Acquisition, AcquisitionContext } from "../sources/acquisition.ts";
import { stateInPlace } from "../sources/in-place.ts";
import { npmOptions } from "../sources/npm-configuration.ts";
import { Seal } from "../sources/seal.ts";
import { isUpToDate } from "../update-spec.ts";
import { openAcquisition } from "./acquire.ts";
import { assertNotTaken, mayReplace, named, namedLike, ownKeyOf, scriptsAllowedBefore } from "./claims.ts";
import { comparedWith } from "./compared.ts";
import { assertUnchanged, inspectPackage, isInspection, lookAt } from "./inspect-package.ts";
import { type Candidate, rowOf, sourceOf } from "./installed-row.ts";
import { Looks, lookAtOffer } from "./looks.ts";
import { placeBuilt, prepareInPlace } from "./place-built.ts";
import { runPackageScripts } from "./scripts/run-scripts.ts";
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
      const opened = await contextFor(request, staging, fetch, deps, step);
      return { ...opened, looks: new Looks(run, deps.audit), seal: new Seal(opened.acquisition) };
    });
    const asking = { run, request, audit: deps.audit };
    const shown = await obtain(run, context, deps, updateOf);
    if (shown === null) return updateOf as Plugin;
    const agreed = await obtainConsent(
      asking,
      shown.consent,
      scriptsAllowedBefore(shown.consent, deps.registry),
    );
    const candidate = await compare(run, context, shown, agreed, deps);
    const all = candidate === shown ? agreed : await obtainMore(asking, candidate.consent, agreed);
    return await deps.lock.run(candidate.inspection.manifestKey, () =>
      settle(run, context, candidate, all, deps),
    );
  } finally {
    fetch.close();
    await deps.folders
      .removeStaging(run.job.id)
      .catch((error: Error) => run.log(`What was fetched could not be removed yet: ${error.message}`));
  }
}

type OpenContext = AcquisitionContext & { acquisition: Acquisition; looks: Looks; seal: Seal };

async function contextFor(
  request: InstallRequest,
  staging: string,
  fetch: FetchProcess,
  deps: InstallDependencies,
  step: Step,
): Promise<AcquisitionContext & { acquisition: Acquisition }> {
  const context: AcquisitionContext = {
    request,
    runtimes: deps.runtimes,
    staging,
    fetch,
    defaultRegistry: deps.settings.get().registry,
    builtinDir: join(deps.platform.bundleDir, "..", "plugins"),
    npmCache: deps.storage.places.npmCache,
    mcpRegistry: deps.mcpRegistry,
    brought: deps.brought,
    exactVersions: deps.exactVersions,
  };
  const acquisition = openAcquisition(context);
  await acquisition.resolve(step);
  return { ...context, acquisition };
}

/** Fetches the package and reads what it is. Null: it is what `updateOf` has installed already. */
async function obtain(
  run: JobRun,
  context: OpenContext,
  deps: InstallDependencies,
  updateOf: Plugin | undefined,
): Promise<Candidate | null> {
  const { acquisition, request } = context;
  run.learn({ sourceKind: acquisition.kind });
  if (acquisition.copies) await run.phase("download", (step) => acquisition.download(step));
  else run.skip("download", "verify");
  const pack = acquisition.copies
    ? await run.phase("verify", (step) => acquisition.verify(step))
    : await acquisition.verify({ signal: run.signal, log: (text) => run.log(text), progress: () => {} });
  const read = await run.phase("inspect", async (step) => {
    await context.seal.put(pack.artifact, step.signal);
    const found = { kind: acquisition.kind, cameAs: context.seal.cameAs };
    if (updateOf && (await isUpToDate(updateOf, found, request, deps.checkIntegrity))) return null;
    const { found: read, runtime } = await inspectPackage(pack.artifact, deps.runtimes, step.signal);
    if (!isInspection(read)) return { undescribed: read, runtime };
    const inspection = named(read, runtime, request.key);
    return candidateOf({ pack, inspection, runtime, readFrom: "files" }, run, context, deps, updateOf);
  });
  if (read === null) return unchanged(run, updateOf as Plugin);
  if (!("undescribed" in read)) return read;
  const { undescribed, runtime } = read;
  await obtainFirstLook(
    { run, request, audit: deps.audit },
    {
      ...undescribed,
      ...(pack.publisher && { publisher: pack.publisher }),
      source: sourceOf(request, acquisition, pack),
      trust: acquisition.trust,
      walled: deps.platform.walls().stands,
    },
  );
  return run.phase("inspect", async (step) => {
    const seen = await context.looks.at(pack.artifact, runtime, step.signal);
    const inspection = named(seen, runtime, request.key);
    return candidateOf({ pack, inspection, runtime, readFrom: "code" }, run, context, deps, updateOf);
  });
}

function unchanged(run: JobRun, { manifestKey, packageVersion, displayName }: Plugin): null {
  run.learn({ pluginKey: manifestKey, pluginVersion: packageVersion, upToDate: true });
  run.skip("consent", "place", "check");
  run.log(`${displayName} ${packageVersion} is up to date; nothing was changed`);
  return null;
}

type Read = Pick<Candidate, "pack" | "inspection" | "runtime"> & { readFrom: Consent["readFrom"] };

/** What is shown of the package for consent. @throws PatchbayError MANIFEST_CHANGED, KEY_TAKEN, NAMESPACE_TAKEN */
function candidateOf(
  { pack, inspection, runtime, readFrom }: Read,
  run: JobRun,
  { acquisition, request, looks }: OpenContext,
  deps: InstallDependencies,
  updateOf: Plugin | undefined,
): Candidate {
  run.learn({ pluginKey: inspection.manifestKey, pluginVersion: inspection.packageVersion });
  run.log(`${inspection.displayName} ${inspection.packageVersion}, written for ${inspection.runtime}`);
  for (const warning of inspection.warnings) run.log(warning);
  const installed = assertAllowed(inspection, { acquisition, request }, deps, updateOf);
  const source = sourceOf(request, acquisition, pack);
  const trust = runtime.trustOf?.(source) ?? acquisition.trust;
  const facts = {
    inspection,
    enforcement: runtime.enforcementOf?.(inspection) ?? runtime.enforcement,
    trust,
    risk: runtime.riskOf?.(inspection, trust) ?? null,
    source,
    publisher: pack.publisher,
    hasScripts: pack.wantScripts.length > 0 || inspection.consent.scripts.length > 0,
    installed,
    readFrom,
    tried: looks.tried,
    plugins: deps.registry.list(),
  };
  const candidate = { pack, inspection, runtime, source, consent: consentFor(facts, null) };
  const files = { artifact: pack.artifact, treeHash: null };
  const row = rowOf(candidate, files, { allowScripts: false, grants: undefined }, installed);
  return { ...candidate, consent: consentFor(facts, deps.gone?.leftFor(row) ?? null) };
}

/** The installed plugin that this package would replace, if any. */
function assertAllowed(
  inspection: Inspection,
  { acquisition, request }: Pick<OpenContext, "acquisition" | "request">,
  deps: InstallDependencies,
  updateOf: Plugin | undefined,
): Plugin | undefined {
  if (updateOf && ownKeyOf(updateOf) !== ownKeyOf(inspection)) {
    throw new PatchbayError(
      "MANIFEST_CHANGED",
      `The new version calls itself “${ownKeyOf(inspection)}” and is no version of “${ownKeyOf(updateOf)}”.`,
      { help: "Install it as a plugin of its own if you want it." },
    );
  }
  assertNotTaken(inspection, acquisition.kind, deps.registry, request.replace);
  return deps.registry.get(inspection.manifestKey);
}

/**
 * Runs the package's scripts where that was agreed to, then compares what its code offers with what was shown. Resolves
 * with the same candidate when it is no more than that; else with one whose consent says what is more.
 */
async function compare(
  run: JobRun,
  context: OpenContext,
  shown: Candidate,
  { allowScripts, grants }: Agreed,
  deps: InstallDependencies,
): Promise<Candidate> {
  const { pack, runtime, consent } = shown;
  const wantsScripts = allowScripts && context.acquisition.copies && pack.wantScripts.length > 0;
  // Code that was asked before and not built since then is asked again where it is placed.
  const asks = runtime.look !== undefined && (consent.readFrom === "files" || wantsScripts);
  if (!asks && !wantsScripts) return shown;
  return run.phase("place", async (step) => {
    if (wantsScripts) {
      const root = deps.storage.places.root;
      const place = { platform: deps.platform, root, options: await npmOptions(context) };
      await runPackageScripts(pack, context.seal, place, step);
    }
    if (!asks) return shown;
    const seen = await context.looks.at(pack.artifact, runtime, step.signal);
    const offered = named(seen, runtime, context.request.key);
    return comparedWith(shown, { offered, grants, tried: context.looks.tried }, deps.registry.list());
  });
}

async function settle(
  run: JobRun,
  context: OpenContext,
  candidate: Candidate,
  agreed: Agreed,
  deps: InstallDependencies,
): Promise<Plugin> {
  const { allowScripts, inherit } = agreed;
  const { inspection, pack, consent } = candidate;
  const installed = deps.registry.get(inspection.manifestKey);
  assertNotTaken(inspection, context.acquisition.kind, deps.registry, mayReplace(consent, installed));
  if (!context.acquisition.copies) {
    const skipped = await prepareInPlace(run, candidate, allowScripts);
    // Its own build may have written there.
    const filesHash = await stateInPlace(pack.artifact, run.signal);
    const files = { artifact: pack.artifact, treeHash: null, skipped, filesHash };
    const plugin = rowOf(candidate, files, agreed, installed);
    run.learn({ skippedScripts: skipped });
    await check(run, plugin, candidate, inherit, deps, installed);
    return plugin;
  }
  const placed = await run.phase("place", (step) =>
    placeBuilt({ ...candidate, seal: context.seal, installed, allowScripts }, deps, step),
  );
  const artifact: Artifact = { ...pack.artifact, kind: "folder", dir: placed.dir };
  const { treeHash, skipped } = placed;
  const files = { artifact, treeHash, skipped, filesHash: context.seal.cameAs };
  const plugin = rowOf(candidate, files, agreed, installed);
  run.learn({ skippedScripts: skipped });
  try {
    await check(run, plugin, candidate, inherit, deps, placed.isNew ? installed : undefined);
  } catch (error) {
    if (placed.isNew) await deps.folders.remove(placed.dir);
    throw error;
  }
  return plugin;
}

/**
 * Reads a plugin with files again at its final place, then switches to it; the switch cannot be stopped. An endpoint
 * is not inspected again: what it offers may change at any time, and is reported when the plugin runs.
 */
async function check(
  run: JobRun,
  plugin: Plugin,
  { inspection, runtime, consent }: Candidate,
  inherit: Inherit,
  deps: InstallDependencies,
  replaces: Plugin | undefined,
): Promise<void> {
  await run.phase("check", async (step) => {
    if (plugin.artifact.kind === "folder") {
      const again =
        consent.readFrom === "code"
          ? await lookAt(plugin.artifact, runtime, step.signal)
          : (await inspectPackage(plugin.artifact, [runtime], step.signal)).found;
      assertUnchanged(inspection, isInspection(again) ? namedLike(inspection, again, runtime) : again);
    }
    const problem = await deps.checkIntegrity(plugin);
    if (problem) throw new PatchbayError(problem.code, problem.message, problem);
    await run.commit(() => switchTo(plugin, replaces, deps, step.log, { inherit, risk: consent.risk }));
    await lookAtOffer(run, plugin, deps);
  });
}
