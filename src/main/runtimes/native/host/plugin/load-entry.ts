import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ErrorCode } from "../../../../../contract/index.ts";
import { HostError, messageOf } from "../../../hosted/node/host-error.ts";
import { insideOf, loadFailure } from "./load-failure.ts";

const ENTRY = "patchbay:plugin-entry";

/**
 * The module of the package in a folder.
 *
 * @param code of the failure when the module itself throws
 * @throws HostError NOT_A_PLUGIN when it has no entry, or `code` with the module's own words
 */
export async function loadEntry(dir: string, code: ErrorCode): Promise<{ default?: unknown }> {
  const entry: Entry = { path: undefined };
  try {
    return await importEntry(dir, entry);
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw loadFailure(code, dir, entry.path, error);
  }
}

/** Which file the entry is, once that is known. */
interface Entry {
  path: string | undefined;
}

/**
 * Imports the entry of the package in a folder, as Node itself resolves it: `exports` through the package's own name,
 * else `main`, else `index.js`.
 */
async function importEntry(dir: string, entry: Entry): Promise<{ default?: unknown }> {
  const manifest = readPackage(dir);
  if (manifest.exports === undefined || manifest.exports === null) {
    entry.path = mainFile(dir, manifest.main);
    return import(pathToFileURL(entry.path).href);
  }
  if (typeof manifest.name !== "string") {
    throw new HostError(
      "NOT_A_PLUGIN",
      "The package.json has `exports` but no `name`, so its entry cannot be found.",
    );
  }
  return importByName(dir, manifest.name, entry);
}

interface PackageJson {
  name?: unknown;
  exports?: unknown;
  main?: unknown;
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

function mainFile(dir: string, main: unknown): string {
  try {
    return createRequire(join(dir, "package.json")).resolve(dir);
  } catch {
    throw typeof main === "string" && main !== ""
      ? missing("main", main)
      : new HostError(
          "NOT_A_PLUGIN",
          "The package has no entry: neither `exports` nor `main` nor an index.js.",
        );
  }
}

function missing(field: string, file: string): HostError {
  return new HostError(
    "NOT_A_PLUGIN",
    `\`${field}\` in the package.json names ${file}, which is not in the package. Perhaps it has to be built first.`,
  );
}

/**
 * Imports the package by its own name, which Node allows only from inside the package. A resolve hook makes this one
 * import look as if it came from there.
 */
async function importByName(dir: string, name: string, entry: Entry): Promise<{ default?: unknown }> {
  const parentURL = pathToFileURL(join(dir, "package.json")).href;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== ENTRY) return next(specifier, context);
      try {
        const found = next(name, { ...context, parentURL });
        if (found.url.startsWith("file:")) entry.path = fileURLToPath(found.url);
        return found;
      } catch (error) {
        throw entryFailure(dir, error);
      }
    },
  });
  try {
    return await import(/* @vite-ignore */ ENTRY);
  } finally {
    hooks.deregister();
  }
}

function entryFailure(dir: string, error: unknown): HostError {
  const said = insideOf(dir, messageOf(error));
  const gone = /^Cannot find module '([^']+)'/.exec(said)?.[1];
  if (gone !== undefined) return missing("exports", gone);
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const why =
    code === "ERR_PACKAGE_PATH_NOT_EXPORTED"
      ? "`exports` in the package.json does not say which file the package itself is: it lacks `.`."
      : said;
  return new HostError("NOT_A_PLUGIN", `The package's entry cannot be found: ${why}`);
}
