import { extname } from "node:path";
import { PatchbayError } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { Fact } from "../manifest-fact.ts";
import { readPackageFile, type Unread } from "../package-file.ts";
import type { PackageFacts } from "./manifest/manifest-facts.ts";

/** Largest package.json, bytes. */
const MAX_PACKAGE_FILE = 1024 * 1024;
/** Largest icon as a data URL, characters. */
const MAX_ICON = 64 * 1024;
const ICON_TYPES: Record<string, string> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
};

/** What Patchbay itself reads from a package.json; fields of another type are left out. */
export function packageFactsOf(raw: Record<string, unknown>): PackageFacts {
  const license = text(raw.license);
  const homepage = text(raw.homepage);
  const publisher = text(raw.publisher) ?? personName(raw.author);
  const engines = isObject(raw.engines) ? raw.engines : {};
  const node = text(engines.node);
  const patchbay = text(engines.patchbay);
  return {
    name: text(raw.name) ?? "",
    version: text(raw.version) ?? "",
    ...(license && { license }),
    ...(publisher && { publisher }),
    ...(homepage && { homepage }),
    ...((node || patchbay) && { engines: { ...(node && { node }), ...(patchbay && { patchbay }) } }),
  };
}

/** The icon that a manifest names, if it is a small image inside the package. */
export async function readIcon(dir: string, manifest: Fact): Promise<string | undefined> {
  const icon = manifest.kind === "object" ? manifest.fields.icon : undefined;
  if (icon?.kind !== "text" || icon.value.startsWith("data:")) return undefined;
  const type = ICON_TYPES[extname(icon.value).toLowerCase()];
  if (!type) return undefined;
  const read = await readPackageFile(dir, icon.value, MAX_ICON).catch(() => "missing" as const);
  if (typeof read === "string") return undefined;
  const url = `data:${type};base64,${read.toString("base64")}`;
  return url.length <= MAX_ICON ? url : undefined;
}

/** @throws PatchbayError NOT_A_PLUGIN when the folder has no package.json that can be read */
export async function readPackageJson(dir: string): Promise<Record<string, unknown>> {
  const read = await readPackageFile(dir, "package.json", MAX_PACKAGE_FILE);
  if (typeof read === "string") throw new PatchbayError("NOT_A_PLUGIN", unreadWords[read]);
  let parsed: unknown;
  try {
    parsed = JSON.parse(read.toString("utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = (error as Error).message;
    throw new PatchbayError("NOT_A_PLUGIN", `The package.json cannot be read: ${reason}`, { cause: error });
  }
  if (isObject(parsed)) return parsed;
  throw new PatchbayError("NOT_A_PLUGIN", "The package.json does not hold an object.");
}

const unreadWords: Record<Unread, string> = {
  missing: "There is no package.json.",
  outside: "The package.json is a link that leads out of the package.",
  "no-file": "The package.json is not a file.",
  "too-large": `The package.json is larger than ${MAX_PACKAGE_FILE / 1024} KiB.`,
};

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function personName(author: unknown): string | undefined {
  if (typeof author === "string") return text(author.replace(/\s*[<(].*$/, ""));
  return typeof author === "object" && author !== null && "name" in author ? text(author.name) : undefined;
}
