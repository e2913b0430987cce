import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readJson } from "../manifest/python/json.ts";
import { textOf } from "../manifest/python/utf8.ts";
import { type Py, PyDict, PyError, PyList } from "../manifest/python/values.ts";

const MOST_BYTES = 8 * 1024 * 1024;

interface Lists {
  enabled: Set<string>;
  disabled: Set<string>;
}

/**
 * The plugins that Flowly's `config.json` switches on and off. As Flowly does it, one wrong value makes the whole file void,
 * and the copy beside it counts; nothing is written.
 * @returns `problem`: a sentence when the file could not be used
 */
export async function flowlyLists(home: string): Promise<Lists & { problem: string | null }> {
  const file = await listsOf(join(home, "config.json"));
  if (file === "absent") return { ...none(), problem: null };
  if (file !== "void") return { ...file, problem: null };
  const copy = await listsOf(join(home, "config.json.bak"));
  if (copy === "absent" || copy === "void")
    return { ...none(), problem: "Flowly's config.json cannot be read, so no plugin counts as switched on." };
  return { ...copy, problem: "Flowly's config.json cannot be read; its older copy is used." };
}

const none = (): Lists => ({ enabled: new Set(), disabled: new Set() });

async function listsOf(file: string): Promise<Lists | "absent" | "void"> {
  const there = await stat(file).catch(() => null);
  if (there === null) return "absent";
  if (!there.isFile() || there.size > MOST_BYTES) return "void";
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return "void";
  try {
    return picked(readJson(textOf(bytes))) ?? "void";
  } catch (error) {
    if (error instanceof PyError) return "void";
    throw error;
  }
}

function picked(value: Py): Lists | null {
  if (!(value instanceof PyDict)) return null;
  const plugins = snakeCased(value).get("plugins");
  if (plugins === undefined) return none();
  if (!(plugins instanceof PyDict)) return null;
  const fields = snakeCased(plugins);
  const enabled = names(fields.get("enabled"));
  const disabled = names(fields.get("disabled"));
  return enabled && disabled ? { enabled, disabled } : null;
}

function names(value: Py | undefined): Set<string> | null {
  if (value === undefined) return new Set();
  if (!(value instanceof PyList)) return null;
  const texts = value.items.filter((item) => typeof item === "string");
  return texts.length === value.items.length ? new Set(texts) : null;
}

/** Its keys as Flowly looks them up: `Enabled` is `enabled`, `fooBar` is `foo_bar`. */
function snakeCased(dict: PyDict): Map<string, Py> {
  return new Map(
    dict.entries().map(
      ([key, value]) =>
        [
          String(key)
            .replace(/(?<!^)(?=[A-Z])/g, "_")
            .toLowerCase(),
          value,
        ] as const,
    ),
  );
}
