import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { PatchbayError } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { Fact } from "../manifest-fact.ts";
import type { PackageFacts } from "./manifest/manifest-facts.ts";

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

/** @throws PatchbayError NOT_A_PLUGIN when the folder has no readable package.json */
export async function readPackageFacts(dir: string): Promise<PackageFacts> {
  const raw = await readPackageJson(dir);
  const license = text(raw.license);
  const homepage = text(raw.homepage);
  const publisher = text(raw.publisher) ?? personName(raw.author);
  return {
    name: text(raw.name) ?? "",
    version: text(raw.version) ?? "",
    ...(license && { license }),
    ...(publisher && { publisher }),
    ...(homepage && { homepage }),
  };
}

/** The icon that a manifest names, if it is a small image inside the package. */
export async function readIcon(dir: string, manifest: Fact): Promise<string | undefined> {
  const icon = manifest.kind === "object" ? manifest.fields.icon : undefined;
  if (icon?.kind !== "text" || icon.value.startsWith("data:")) return undefined;
  const type = ICON_TYPES[extname(icon.value).toLowerCase()];
  if (!type) return undefined;
  try {
    const [root, file] = await Promise.all([realpath(dir), realpath(join(dir, icon.value))]);
    if (!file.startsWith(root + sep) || (await stat(file)).size > MAX_ICON) return undefined;
    const url = `data:${type};base64,${(await readFile(file)).toString("base64")}`;
    return url.length <= MAX_ICON ? url : undefined;
  } catch {
    return undefined;
  }
}

async function readPackageJson(dir: string): Promise<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new PatchbayError(
      "NOT_A_PLUGIN",
      missing ? "There is no package.json." : `The package.json cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
  if (isObject(parsed)) return parsed;
  throw new PatchbayError("NOT_A_PLUGIN", "The package.json does not hold an object.");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function personName(author: unknown): string | undefined {
  if (typeof author === "string") return text(author.replace(/\s*[<(].*$/, ""));
  return typeof author === "object" && author !== null && "name" in author ? text(author.name) : undefined;
}
