import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ErrorCode } from "../../../../../contract/index.ts";
import { HostError, messageOf, stackOf } from "../host-error.ts";

const ENTRY = "patchbay:plugin-entry";

/**
 * The module of the package in a folder.
 *
 * @param code of the failure when the module itself throws
 * @throws HostError NOT_A_PLUGIN when it has no entry, or `code` with the module's own words
 */
export async function loadEntry(dir: string, code: ErrorCode): Promise<{ default?: unknown }> {
  try {
    return await importEntry(dir);
  } catch (error) {
    if (error instanceof HostError) throw error;
    const stack = stackOf(error);
    const message = `The plugin could not be loaded: ${messageOf(error).slice(0, 4_000)}`;
    throw new HostError(code, message, stack === undefined ? undefined : { stack });
  }
}

/**
 * Imports the entry of the package in a folder, as Node itself resolves it: `exports` through the package's own name,
 * else `main`, else `index.js`.
 */
async function importEntry(dir: string): Promise<{ default?: unknown }> {
  const manifest = readPackage(dir);
  if (manifest.exports === undefined || manifest.exports === null) return import(mainUrl(dir));
  if (typeof manifest.name !== "string") {
    throw new HostError(
      "NOT_A_PLUGIN",
      "The package.json has `exports` but no `name`, so its entry cannot be found.",
    );
  }
  return importByName(dir, manifest.name);
}

interface PackageJson {
  name?: unknown;
  exports?: unknown;
}

function readPackage(dir: string): PackageJson {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  } catch (error) {
    throw new HostError("NOT_A_PLUGIN", `The package.json cannot be read: ${messageOf(error)}`);
  }
  if (typeof parsed !== "object" || parsed === null) {
    throw new HostError("NOT_A_PLUGIN", "The package.json does not hold an object.");
  }
  return parsed;
}

function mainUrl(dir: string): string {
  try {
    return pathToFileURL(createRequire(join(dir, "package.json")).resolve(dir)).href;
  } catch {
    throw new HostError(
      "NOT_A_PLUGIN",
      "The package has no entry: neither `exports` nor `main` nor an index.js.",
    );
  }
}

/**
 * Imports the package by its own name, which Node allows only from inside the package. A resolve hook makes this one
 * import look as if it came from there.
 */
async function importByName(dir: string, name: string): Promise<{ default?: unknown }> {
  const parentURL = pathToFileURL(join(dir, "package.json")).href;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== ENTRY) return next(specifier, context);
      try {
        return next(name, { ...context, parentURL });
      } catch (error) {
        throw new HostError("NOT_A_PLUGIN", `The package's entry cannot be found: ${messageOf(error)}`);
      }
    },
  });
  try {
    return await import(/* @vite-ignore */ ENTRY);
  } finally {
    hooks.deregister();
  }
}
