import { readdir } from "node:fs/promises";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import { issueWords } from "../../../../contract/shown/issue-words.ts";
import { ManifestProblems } from "../../manifest-problems.ts";
import { readPackageFile } from "../../package-file.ts";
import { bundleSchema, checkBundleVersion, serverOfBundle } from "./bundle.ts";
import { type ServerFile, serverFileName, serverFileSchema } from "./server-file.ts";
import { inLanguages } from "./translations.ts";

const MOST_BYTES = 1024 * 1024;

/** The file in a folder that says that it is a server's, by its name; null: none does by its name alone. */
const bundleFile = "manifest.json";
const packageFile = "package.json";

const packageSchema = z.looseObject({
  name: z.string().min(1),
  version: z.string().default("0"),
  description: z.string().catch(""),
  mcpName: z.string().optional(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  author: z
    .union([z.string(), z.looseObject({ name: z.string() })])
    .optional()
    .catch(undefined),
});

/** Whether the folder is a server's. Nothing of it is judged. */
export async function isServerFolder(dir: string): Promise<boolean> {
  const names = new Set(await readdir(dir).catch(() => []));
  if (names.has(serverFileName)) return true;
  if (names.has(bundleFile)) {
    const found = await jsonIn(dir, bundleFile);
    const bundle = z.looseObject({ server: z.unknown() }).safeParse(found);
    if (bundle.success && ("manifest_version" in bundle.data || "dxt_version" in bundle.data)) return true;
  }
  return (
    names.has(packageFile) &&
    z.looseObject({ mcpName: z.string() }).safeParse(await jsonIn(dir, packageFile)).success
  );
}

/**
 * What a folder says of the server in it.
 *
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID
 */
export async function readServer(
  dir: string,
  platform: NodeJS.Platform = process.platform,
): Promise<{ file: ServerFile; warnings: string[] }> {
  const problems = new ManifestProblems();
  const own = await jsonIn(dir, serverFileName);
  if (own !== undefined)
    return { file: parsed(serverFileSchema, own, serverFileName, problems), warnings: [] };
  const bundle = await jsonIn(dir, bundleFile);
  if (z.looseObject({ server: z.unknown() }).safeParse(bundle).success) {
    const read = parsed(bundleSchema, bundle, bundleFile, problems);
    checkBundleVersion(read, problems);
    problems.throwIfAny();
    const { bundle: said, words } = await inLanguages(dir, read);
    const file = { ...serverOfBundle(said, platform), ...(words && { words }) };
    return { file, warnings: problems.warnings };
  }
  const pack = packageSchema.required({ mcpName: true }).safeParse(await jsonIn(dir, packageFile));
  if (pack.success) return { file: serverOfPackage(pack.data), warnings: [] };
  throw new PatchbayError("NOT_A_PLUGIN", "Nothing in it says that it is an MCP server.");
}

/** The server of a package of npm, whether it says that it is one or not. @throws PatchbayError MANIFEST_INVALID */
export async function serverOfPackageIn(dir: string): Promise<ServerFile> {
  const problems = new ManifestProblems();
  return serverOfPackage(parsed(packageSchema, await jsonIn(dir, packageFile), packageFile, problems));
}

function serverOfPackage({
  name,
  version,
  description,
  mcpName,
  bin,
  author,
}: z.infer<typeof packageSchema>): ServerFile {
  const short = name.split("/").at(-1) ?? name;
  const entry = typeof bin === "string" ? bin : (bin?.[short] ?? Object.values(bin ?? {})[0]);
  if (entry === undefined)
    throw new PatchbayError(
      "MANIFEST_INVALID",
      "Its package.json names no program: `bin` is missing. The server's author must add it.",
    );
  const publisher = typeof author === "string" ? author : author?.name;
  return {
    schema: 1,
    name: mcpName ?? name,
    title: short,
    version,
    description,
    ...(publisher && { publisher }),
    origin: { kind: "npm", name },
    server: { type: "node", entry, args: [], env: {}, cwd: "workspace" },
    inputs: [],
  };
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, name: string, problems: ManifestProblems): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  for (const issue of read.error.issues) {
    const field = issue.path.join(".");
    problems.add(
      field,
      `In ${name}, \`${field || name}\` ${issueWords({ ...issue })}. The server's author must correct it.`,
    );
  }
  problems.throwIfAny();
  throw read.error;
}

/** The JSON of a small file; undefined where it is not there. @throws PatchbayError MANIFEST_INVALID */
async function jsonIn(dir: string, name: string): Promise<unknown> {
  const bytes = await readPackageFile(dir, name, MOST_BYTES);
  if (bytes === "missing") return undefined;
  if (typeof bytes === "string")
    throw new PatchbayError("MANIFEST_INVALID", `${name} cannot be read: it is ${unreadable[bytes]}.`);
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw new PatchbayError("MANIFEST_INVALID", `${name} is no JSON. The server's author must correct it.`, {
      cause,
    });
  }
}

const unreadable = {
  outside: "a link that leads out of the package",
  "no-file": "no file",
  "too-large": "larger than 1 MB",
} as const;
