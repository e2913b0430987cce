import { z } from "zod";
import type { HostProcess } from "../../platform/platform.ts";
import { inspectInHost } from "../hosted/inspect-in-host.ts";
import type { Fact } from "../manifest-fact.ts";
import type { NativePayloads } from "./host/protocol.ts";
import {
  type ExportFacts,
  isFact,
  type ManifestFacts,
  type PackageFacts,
} from "./manifest/manifest-facts.ts";
import { readDescription } from "./package-description.ts";
import { packageFactsOf, readIcon, readPackageJson } from "./package-facts.ts";

/**
 * The facts of a package for validation as its files tell them: its package.json, and its description. Nothing of it
 * runs. When it has no description, only its code can tell; then the facts of its package.json alone.
 *
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID
 */
export async function readStaticFacts(dir: string): Promise<ManifestFacts | PackageFacts> {
  const packageFile = await readPackageJson(dir);
  const described = await readDescription(dir, packageFile);
  return described ? withPackage(dir, packageFile, described) : packageFactsOf(packageFile);
}

/**
 * The facts of a package for validation as its code tells them: its package.json, and a description of its default
 * export. The export is imported in a host process of its own, which ends after that, and never in the app.
 *
 * @param limitMs time that the import may take, milliseconds
 * @throws PatchbayError NOT_A_PLUGIN, INSPECT_TIMEOUT, INSPECT_CRASHED, or the signal's reason
 */
export async function readFactsOfCode(
  dir: string,
  fork: () => HostProcess,
  limitMs: number,
  signal: AbortSignal,
): Promise<ManifestFacts> {
  const packageFile = await readPackageJson(dir);
  signal.throwIfAborted();
  const inspect: NativePayloads["inspect"] = { dir };
  const described = await inspectInHost(fork(), { inspect, parse: exportFacts, limitMs }, signal);
  return withPackage(dir, packageFile, described);
}

async function withPackage(
  dir: string,
  packageFile: Record<string, unknown>,
  described: ExportFacts,
): Promise<ManifestFacts> {
  const icon = await readIcon(dir, described.defaultExport);
  return { ...described, package: { ...packageFactsOf(packageFile), ...(icon && { icon }) } };
}

const text = z.string().max(64 * 1024);
const schema = z.object({
  defaultExport: z.custom<Fact>((value) => isFact(value)),
  configSchema: z.union([
    z.object({ kind: z.literal("absent") }),
    z.object({ kind: z.literal("schema"), schema: z.record(z.string(), z.unknown()) }),
    z.object({ kind: z.literal("foreign"), vendor: text }),
    z.object({ kind: z.literal("refused"), reason: text }),
  ]),
});

function exportFacts(facts: unknown): ExportFacts | null {
  const parsed = schema.safeParse(facts);
  return parsed.success ? parsed.data : null;
}
