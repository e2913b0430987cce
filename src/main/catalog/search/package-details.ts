import semver from "semver";
import { z } from "zod";
import { type PackageDetails, PatchbayError } from "../../../contract/index.ts";
import type { NpmOptions } from "../fetch/protocol.ts";
import { authorizationFor } from "../sources/npm-configuration.ts";
import { fetchJson } from "../web.ts";

const patienceMs = 8_000;
const mostBytes = 16 * 1024 * 1024;
/** Most versions that are listed. Older ones can still be installed by naming them. */
const mostVersions = 100;

const person = z.looseObject({ name: z.string().optional() });
const versionSchema = z.looseObject({
  deprecated: z.string().optional().catch(undefined),
  dist: z
    .looseObject({ unpackedSize: z.number().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  _npmUser: person.optional().catch(undefined),
});
const documentSchema = z.looseObject({
  name: z.string(),
  "dist-tags": z.looseObject({ latest: z.string().optional() }).optional().catch(undefined),
  versions: z.record(z.string(), versionSchema),
  time: z.record(z.string(), z.unknown()).catch({}),
  license: z.string().optional().catch(undefined),
  homepage: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
  maintainers: z.array(person).optional().catch(undefined),
});

/**
 * One package of a registry with its newest versions.
 * @throws PatchbayError PACKAGE_NOT_FOUND, REGISTRY_UNREACHABLE, REGISTRY_REFUSED
 */
export async function packageDetails(name: string, options: NpmOptions): Promise<PackageDetails> {
  const url = new URL(encodeURIComponent(name).replace("%40", "@"), options.registry);
  const authorization = authorizationFor(url, options);
  const answer = await fetchJson(url.toString(), {
    patienceMs,
    mostBytes,
    headers: authorization ? { authorization } : {},
  });
  const parsed = documentSchema.safeParse(answer);
  if (!parsed.success)
    throw new PatchbayError("REGISTRY_REFUSED", `${url.host} answered with something that is no package.`);
  const document = parsed.data;
  const versions = Object.entries(document.versions).filter(([version]) => semver.valid(version) !== null);
  const latest = document["dist-tags"]?.latest ?? null;
  const newest = latest === null ? undefined : document.versions[latest];
  const publisher = newest?._npmUser?.name ?? document.maintainers?.[0]?.name;
  return {
    packageName: document.name,
    registry: url.host,
    latest,
    ...(document.license && { license: document.license }),
    ...(publisher && { publisher }),
    ...(document.homepage && { homepage: document.homepage }),
    versions: versions
      .sort(([a], [b]) => semver.rcompare(a, b))
      .slice(0, mostVersions)
      .map(([version, { deprecated, dist }]) => ({
        version,
        publishedAt: dateOf(document.time[version]),
        ...(deprecated && { deprecated }),
        bytes: dist?.unpackedSize ?? null,
      })),
  };
}

function dateOf(value: unknown): string | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
