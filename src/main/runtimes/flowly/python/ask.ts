import { homedir } from "node:os";
import { z } from "zod";
import { hostEnvironment } from "../../../platform/host-environment.ts";
import { Program } from "../../../platform/program.ts";

/** Milliseconds that a program has to say whether it is Python: a shim in front of it starts a shell or two. */
const PATIENCE_MS = 10_000;
const MOST_TEXT = 256 * 1024;
const MARK = "__patchbay_python__";

/** What a version manager's shim needs to find the Python that it stands for. */
const forShims = ["PYENV_ROOT", "PYENV_VERSION", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR"];

/**
 * Written for Python 2 as well, which has to say that it is too old. The modules that are imported are those whose
 * libraries lie outside of Python's own folders; the system says from where they were loaded.
 */
const question = `
import sys, json, os, sysconfig
for name in ("ssl", "sqlite3", "ctypes", "zlib", "bz2", "lzma", "hashlib"):
    try:
        __import__(name)
    except Exception:
        pass
libraries = []
try:
    with open("/proc/self/maps") as maps:
        libraries = sorted(set(line.split(None, 5)[5].strip() for line in maps if ".so" in line and "/" in line))
except Exception:
    pass
paths = sysconfig.get_paths()
print("${MARK}" + json.dumps({
    "version": list(sys.version_info[:3]),
    "executable": sys.executable,
    "prefix": sys.prefix,
    "base": getattr(sys, "base_prefix", sys.prefix),
    "stdlib": [paths["stdlib"], paths["platstdlib"]],
    "site": [paths["purelib"], paths["platlib"]],
    "path": [entry for entry in sys.path if os.path.isabs(entry)],
    "libraries": libraries,
}) + "${MARK}")
`;

const answerSchema = z.object({
  version: z.tuple([z.number().int(), z.number().int(), z.number().int()]),
  executable: z.string().min(1),
  /** Of a virtual environment its own folder, else the same as `base`. */
  prefix: z.string(),
  base: z.string(),
  stdlib: z.array(z.string()),
  site: z.array(z.string()),
  path: z.array(z.string()),
  /** Files of shared libraries that it had loaded; Linux only. */
  libraries: z.array(z.string()),
});

/** What a Python says about itself. */
export type PythonFacts = z.infer<typeof answerSchema>;

/**
 * Asks a program in one short run whether it is Python, and where its parts are. Nothing of a plugin runs.
 * @returns null when it is no Python, or does not answer in time
 */
export async function askPython(
  file: string,
  env: NodeJS.ProcessEnv,
  path: string,
): Promise<PythonFacts | null> {
  const passed = forShims.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const child = new Program({
    file,
    args: ["-E", "-s", "-c", question],
    cwd: homedir(),
    env: { ...hostEnvironment(env), ...Object.fromEntries(passed), PATH: path },
    input: false,
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    if (text.length < MOST_TEXT) text += piece;
  });
  child.stderr.resume();
  child.signalAfter(PATIENCE_MS, "SIGKILL");
  try {
    await child.ended;
    return answerSchema.parse(JSON.parse(text.split(MARK)[1] ?? ""));
  } catch {
    return null;
  }
}
