import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { type FlowlyManifest, manifestOf, newestManifest, TooNew, WrongField } from "./manifest-fields.ts";
import { readJson } from "./python/json.ts";
import { textOf } from "./python/utf8.ts";
import { type Py, PyDict, PyError, truthy } from "./python/values.ts";
import { readYaml } from "./python/yaml.ts";

export type { FlowlyManifest };

export type ManifestRead =
  | { kind: "manifest"; file: string; manifest: FlowlyManifest }
  /** There is no file of one of the three names. */
  | { kind: "absent" }
  /** `theirs`: what Flowly logs or dies of. `problem`: MANIFEST_INVALID, with a sentence for a person. */
  | { kind: "broken"; file: string; theirs: string; problem: PatchbayError };

export const manifestNames = ["plugin.yaml", "plugin.yml", "plugin.json"] as const;

const MOST_BYTES = 1024 * 1024;

/**
 * Reads the manifest of the plugin in a folder as Flowly does: the first file of the three names counts, whatever is in
 * it. Nothing of the plugin runs. Each fault of the file is `broken`.
 * @param category what the key of a plugin of a category begins with, or null
 * @param name what a plugin without a name is called after; default: the folder's
 */
export async function readManifest(
  dir: string,
  { category = null, name: folder = basename(dir) }: { category?: string | null; name?: string } = {},
): Promise<ManifestRead> {
  for (const name of manifestNames) {
    const file = join(dir, name);
    const there = await stat(file).catch(() => null);
    if (there === null) continue;
    const say = (theirs: string, sentence: string): ManifestRead => broken(folder, file, theirs, sentence);
    if (!there.isFile())
      return say(`cannot read ${file}: [Errno 21] Is a directory: '${file}'`, "is no file that can be read");
    if (there.size > MOST_BYTES) return say(`cannot read ${file}: too large`, "is larger than 1 MB");
    const bytes = await readFile(file).catch(() => null);
    if (bytes === null)
      return say(`cannot read ${file}: [Errno 13] Permission denied: '${file}'`, "cannot be read");
    return read(bytes, folder, category, file, say);
  }
  return { kind: "absent" };
}

function read(
  bytes: Uint8Array,
  folder: string,
  category: string | null,
  file: string,
  say: (theirs: string, sentence: string) => ManifestRead,
): ManifestRead {
  const json = file.endsWith(".json");
  let value: Py;
  try {
    const text = textOf(bytes);
    value = json ? readJson(text) : readYaml(text);
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    if (error.type === "UnicodeDecodeError")
      return say(`${error.type}: ${error.message}`, "is not written in UTF-8");
    return say(`failed to parse ${file}: ${error.message}`, `is no valid ${json ? "JSON" : "YAML"}`);
  }
  const data = truthy(value) ? value : new PyDict();
  if (!(data instanceof PyDict))
    return say(`${file}: manifest root must be a mapping`, "must consist of names with values");
  try {
    return { kind: "manifest", file, manifest: manifestOf(data, folder, category) };
  } catch (error) {
    if (error instanceof TooNew)
      return say(
        `${file}: manifest_version ${error.version} exceeds supported ${newestManifest} — upgrade flowly`,
        `is written for a newer Flowly (\`manifest_version\` is ${error.version}, the newest known is ${newestManifest})`,
      );
    if (!(error instanceof WrongField)) throw error;
    const wanted = error.field === "manifest_version" ? "a whole number" : "a list";
    return say(error.theirs, `is wrong at \`${error.field}\`, which must be ${wanted}`);
  }
}

function broken(folder: string, file: string, theirs: string, what: string): ManifestRead {
  const problem = new PatchbayError("MANIFEST_INVALID", `${basename(file)} of “${folder}” ${what}.`, {
    help: "The author of the plugin must correct this file.",
    details: { flowly: theirs },
  });
  return { kind: "broken", file, theirs, problem };
}
