import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import type { PackageVersion } from "../fetch/protocol.ts";
import type { Step } from "../job-run.ts";
import { readTree } from "../tree.ts";
import type { AcquisitionContext } from "./acquisition.ts";
import { givenPackages } from "./not-needed.ts";
import { npmOptions } from "./npm-configuration.ts";

const names = z.record(z.string(), z.string()).catch({});
const packageFileSchema = z.looseObject({
  name: z.string().optional().catch(undefined),
  dependencies: names.optional(),
  peerDependencies: names.optional(),
  peerDependenciesMeta: z
    .record(z.string(), z.looseObject({ optional: z.boolean().optional() }))
    .catch({})
    .optional(),
  scripts: names.optional(),
});
type PackageFile = z.infer<typeof packageFileSchema>;

const installScripts = ["preinstall", "install", "postinstall"];

/**
 * Completes an unpacked package: fetches its dependencies into its `node_modules`, unless they are there already, and
 * refuses links that lead out of the package. Runs no scripts; returns the names of the packages that have some.
 */
export async function completePackage(
  dir: string,
  context: AcquisitionContext,
  step: Step,
): Promise<{ wantScripts: string[]; added: PackageVersion[]; withoutIntegrity: string[] }> {
  const file = await readPackageFile(dir);
  const wantScripts = file ? ownScripts(file) : [];
  const fetched: { added: PackageVersion[]; withoutIntegrity: string[] } = {
    added: [],
    withoutIntegrity: [],
  };
  if (file && (await lacksDependencies(dir, file))) {
    const options = await npmOptions(context);
    step.log(`Fetching the packages it depends on from ${options.registry}`);
    const result = await context.fetch.call({ op: "dependencies", dir, given: givenPackages, options }, step);
    const { length } = result.added;
    step.log(`${length} ${length === 1 ? "package" : "packages"} added`);
    if (result.withoutIntegrity.length > 0) {
      step.log(`The registry gives no checksum for ${result.withoutIntegrity.join(", ")}`);
    }
    Object.assign(fetched, { added: result.added, withoutIntegrity: result.withoutIntegrity });
    wantScripts.push(...result.wantScripts);
  }
  await readTree(dir, { signal: step.signal });
  return { wantScripts, ...fetched };
}

/** The package.json of a folder, or null when it has none: not every plugin system needs one. */
async function readPackageFile(dir: string): Promise<PackageFile | null> {
  const text = await readFile(join(dir, "package.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return packageFileSchema.parse(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch (error) {
    throw new PatchbayError("MANIFEST_INVALID", "The package.json of the package is not valid JSON.", {
      cause: error,
    });
  }
}

function ownScripts(file: PackageFile): string[] {
  return installScripts.some((script) => file.scripts?.[script]) ? [file.name ?? "the package itself"] : [];
}

async function lacksDependencies(dir: string, file: PackageFile): Promise<boolean> {
  const requiredPeers = Object.keys(file.peerDependencies ?? {}).filter(
    (name) => !file.peerDependenciesMeta?.[name]?.optional,
  );
  for (const name of [...Object.keys(file.dependencies ?? {}), ...requiredPeers]) {
    if (givenPackages.includes(name)) continue;
    const there = await stat(join(dir, "node_modules", name)).catch(() => null);
    if (!there?.isDirectory()) return true;
  }
  return false;
}
