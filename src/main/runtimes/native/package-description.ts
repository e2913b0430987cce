import {
  DESCRIPTION_VERSION,
  manifestShape,
  type Shape,
  startedCommands,
} from "@patchbay/plugin-sdk/describe";
import { PatchbayError } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import { readPackageFile, type Unread } from "../package-file.ts";
import { describeExport, type ExportFacts } from "./manifest/manifest-facts.ts";

export const DESCRIPTION_FILE = "patchbay.json";
/** Largest description, bytes. */
const MAX_DESCRIPTION = 256 * 1024;

/**
 * What a package says of itself without being run: the field `patchbay` of its package.json, or the file
 * `patchbay.json` beside it, which the SDK's `patchbay-plugin describe` writes. Null when it has neither, so that only
 * its code can tell. The facts are the same that a host process reports of the code, and are judged in the same way.
 *
 * @param packageFile the content of the package.json
 * @throws PatchbayError MANIFEST_INVALID when there is a description that cannot be used
 */
export async function readDescription(
  dir: string,
  packageFile: Record<string, unknown>,
): Promise<ExportFacts | null> {
  if (packageFile.patchbay !== undefined) {
    return factsOf(packageFile.patchbay, "The field `patchbay` of the package.json");
  }
  const read = await readPackageFile(dir, DESCRIPTION_FILE, MAX_DESCRIPTION);
  if (read === "missing") return null;
  const where = `The file ${DESCRIPTION_FILE}`;
  if (typeof read === "string") throw unusable(where, unreadWords[read]);
  return factsOf(parseJson(read, where), where);
}

const unreadWords: Record<Exclude<Unread, "missing">, string> = {
  outside: "it is a link that leads out of the package",
  "no-file": "it is not a file",
  "too-large": `it is larger than ${MAX_DESCRIPTION / 1024} KiB`,
};

function factsOf(description: unknown, where: string): ExportFacts {
  if (!isObject(description)) throw unusable(where, "it does not hold an object");
  if (description.patchbay !== DESCRIPTION_VERSION) {
    throw unusable(
      where,
      `its \`patchbay\` is not ${DESCRIPTION_VERSION}, the version that this Patchbay reads`,
    );
  }
  if (!isObject(description.manifest)) throw unusable(where, "it has no object `manifest`");
  const hidden = hiddenText(description.manifest, 0);
  if (hidden === "too-deep") throw unusable(where, "it is nested too deeply");
  if (hidden) throw unusable(where, "a text in it has characters that are not shown or turn the text around");
  return describeExport({ default: revived(description.manifest, manifestShape) });
}

/** The manifest as its code would export it: with functions in the places where the description says `true`. */
function revived(value: unknown, shape: Shape): unknown {
  if (shape === "function") return value === true ? standIn : value;
  if (shape === "value" || shape === "schema") return value;
  if (Array.isArray(shape)) {
    if (Array.isArray(value)) return value.map((item) => revived(item, shape[0]));
    return revived(value, startedCommands);
  }
  if (!isObject(value)) return value;
  const fields = shape as { readonly [field: string]: Shape };
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      Object.hasOwn(fields, name) ? revived(field, fields[name] ?? "value") : field,
    ]),
  );
}

/** Is never called: only that there is a function is looked at. */
function standIn(): void {}

/** Control characters, except those that lay text out, and the characters that change the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const hiddenCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const MAX_DEPTH = 24;

function hiddenText(value: unknown, depth: number): boolean | "too-deep" {
  if (typeof value === "string") return hiddenCharacters.test(value);
  if (typeof value !== "object" || value === null) return false;
  if (depth >= MAX_DEPTH) return "too-deep";
  for (const [name, inner] of Object.entries(value)) {
    const found = hiddenCharacters.test(name) || hiddenText(inner, depth + 1);
    if (found) return found;
  }
  return false;
}

function parseJson(bytes: Buffer, where: string): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw unusable(where, "it is not valid JSON", error);
  }
}

function unusable(where: string, reason: string, cause?: unknown): PatchbayError {
  return new PatchbayError("MANIFEST_INVALID", `${where} cannot be used: ${reason}.`, {
    help: "The plugin's author must write it anew, with `patchbay-plugin describe`.",
    ...(cause !== undefined && { cause }),
  });
}
