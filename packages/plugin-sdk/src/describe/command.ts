#!/usr/bin/env node
import { readFile, writeFile } from "node:fs/promises";
import { createRequire, registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describeManifest, manifestOf } from "./describe.ts";
import { unknownFields, unknownInWords } from "./unknown-fields.ts";

/**
 * `patchbay-plugin describe [folder]`: imports the package in the folder (default: the current one) and writes its
 * `patchbay.json` beside its package.json, and says which fields of the manifest Patchbay does not know. Ends with 1 and a sentence when the package cannot be described.
 */
const ENTRY = "patchbay:plugin-entry";
const [command, folder = "."] = process.argv.slice(2);

try {
  if (command !== "describe")
    throw new Error("Usage: patchbay-plugin describe [folder of the built package]");
  const dir = resolve(folder);
  const module = await importPackage(dir);
  const file = join(dir, "patchbay.json");
  await writeFile(file, `${JSON.stringify(describeManifest(module.default), null, 2)}\n`);
  console.log(`Wrote ${file}`);
  for (const field of unknownFields(manifestOf(module.default))) console.error(unknownInWords(field));
  // A plugin that leaves a timer or a connection open must not keep the build waiting.
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

/**
 * Imports the package's entry as Node resolves it: `exports` through the package's own name, else `main`, else
 * `index.js`. A resolve hook makes the import look as if it came from inside of the package, where its own name counts.
 */
async function importPackage(dir: string): Promise<{ default?: unknown }> {
  const file = join(dir, "package.json");
  const { name, exports } = JSON.parse(await readFile(file, "utf8"));
  if (exports === undefined || exports === null) {
    return import(pathToFileURL(createRequire(file).resolve(dir)).href);
  }
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === ENTRY
        ? next(name, { ...context, parentURL: pathToFileURL(file).href })
        : next(specifier, context),
  });
  return import(ENTRY);
}
