import { PatchbayError } from "../../../../contract/index.ts";
import { originOf } from "./modules.ts";
import { asksFor, isOwnModule } from "./requirements.ts";

interface Failed {
  /** Name of the plugin. */
  plugin: string;
  /** Its folder. */
  dir: string;
  /** What its requirements.txt names and what was added, and is not installed. */
  lacking: readonly string[];
  /** The same, where it was installed: what brings no such module brings none the next time either. */
  installed: readonly string[];
  /** Of Python, such as `3.11.7`. */
  version: string;
}

/**
 * A failed start whose reason is a module that is not there, as a problem that says what to do: `MODULE_MISSING` with
 * `details: {plugin, module, package, packages}`, where `packages` is all that one press installs. Anything else stays as it is.
 */
export async function withMissingModule(
  error: unknown,
  { plugin, dir, lacking, installed, version }: Failed,
): Promise<unknown> {
  if (!(error instanceof PatchbayError) || error.code !== "START_FAILED") return error;
  const { module } = error.details ?? {};
  if (typeof module !== "string") return error;
  const [first = ""] = module.split(".");
  if (await isOwnModule(dir, first))
    return new PatchbayError("START_FAILED", error.message, {
      help: `Its author has to write “from . import ${first}”: a plugin's own files are not found by their name alone.`,
      details: error.details ?? {},
      cause: error,
    });
  const origin = originOf(first);
  if (origin === null) return error;
  if (origin.kind !== "package") {
    const what =
      origin.kind === "newer"
        ? `needs Python ${origin.version} or newer`
        : `needs a Python before ${origin.version}`;
    const code = origin.kind === "newer" ? "PYTHON_TOO_OLD" : "START_FAILED";
    return new PatchbayError(
      code,
      `${plugin} ${what}, because it uses ${first}. It ran with Python ${version}.`,
      {
        help: "Choose another one under Settings, Python, then start the plugin again.",
        details: { ...error.details, version },
        cause: error,
      },
    );
  }
  if (installed.some((line) => asksFor(line, origin.name))) return error;
  const isNamed = lacking.some((line) => asksFor(line, origin.name));
  const packages = [...lacking, ...(isNamed ? [] : [origin.name])];
  const message = `${plugin} needs the Python package ${origin.name}, which is not installed.`;
  return new PatchbayError("MODULE_MISSING", message, {
    details: { ...error.details, plugin, module: first, package: origin.name, packages },
    cause: error,
  });
}
