import { z } from "zod";
import type { ManifestProblems } from "../../manifest-problems.ts";
import { placesOf } from "../own-places.ts";
import { bundlePart } from "./bundle-part.ts";
import { textOf } from "./parts.ts";
import type { McpServer, Part, ServerFile, ServerInput } from "./server-file.ts";

const commandSchema = z.looseObject({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).max(500).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

const configSchema = z.looseObject({
  type: z.enum(["string", "number", "boolean", "directory", "file"]),
  title: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  multiple: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});

/** What Patchbay can do without may have any form. */
const text = z.string().optional().catch(undefined);
const texts = z.array(z.string()).optional().catch(undefined);
const locale = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
  .optional()
  .catch(undefined);

/** A bundle's manifest (`.mcpb`, older `.dxt`), read with a wide heart: what Patchbay does not use may have any form. */
export const bundleSchema = z.looseObject({
  manifest_version: z.string().optional(),
  dxt_version: z.string().optional(),
  name: z.string().min(1),
  display_name: z.string().optional(),
  version: z.string().min(1),
  description: z.string(),
  author: z.looseObject({ name: z.string() }),
  icon: text,
  icons: z
    .array(z.looseObject({ src: z.string() }))
    .optional()
    .catch(undefined),
  long_description: text,
  homepage: text,
  documentation: text,
  support: text,
  license: text,
  repository: z
    .union([z.string(), z.looseObject({ url: z.string() })])
    .optional()
    .catch(undefined),
  privacy_policies: texts,
  screenshots: texts,
  localization: z.looseObject({ resources: text, default_locale: locale }).optional().catch(undefined),
  server: z.looseObject({
    type: z.enum(["node", "python", "binary", "uv"]),
    entry_point: z.string(),
    mcp_config: commandSchema
      .extend({ platform_overrides: z.record(z.string(), commandSchema).optional() })
      .optional(),
  }),
  user_config: z.record(z.string(), configSchema).optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  compatibility: z
    .looseObject({
      platforms: z.array(z.string()).optional(),
      runtimes: z.looseObject({ node: z.string().optional(), python: z.string().optional() }).optional(),
    })
    .optional(),
});
export type Bundle = z.infer<typeof bundleSchema>;

/** Whether the version of a manifest is one that Patchbay reads: 0.1 to 0.4; other 0.x with a warning. */
export function checkBundleVersion(bundle: Bundle, problems: ManifestProblems): void {
  const version = bundle.manifest_version ?? bundle.dxt_version ?? "";
  if (!/^0\.\d+$/.test(version))
    problems.expected(
      "manifest_version",
      "0.1 to 0.4",
      version === "" ? { kind: "absent" } : { kind: "text", value: version },
    );
  else if (!/^0\.[1-4]$/.test(version))
    problems.warn(
      `The bundle is of version ${version}, of which Patchbay knows 0.1 to 0.4; something may be missing.`,
    );
}

/** A bundle as Patchbay keeps servers. `platform`: for which system its commands are taken. */
export function serverOfBundle(bundle: Bundle, platform: NodeJS.Platform): ServerFile {
  const {
    name,
    display_name: title,
    version,
    description,
    author,
    compatibility,
    homepage,
    license,
  } = bundle;
  const icons = [bundle.icon, ...(bundle.icons ?? []).map(({ src }) => src)].filter(
    (one) => one !== undefined,
  );
  const inputs = Object.entries(bundle.user_config ?? {}).map(([key, field]) => inputOf(key, field));
  const known = new Set(inputs.map((input) => input.name));
  return {
    schema: 1,
    name,
    ...(title && { title }),
    version,
    description,
    publisher: author.name,
    ...(homepage && { homepage }),
    ...(license && { license }),
    ...(icons.length > 0 && { icons: icons.slice(0, 20) }),
    about: aboutIn(bundle),
    origin: { kind: "mcpb", name },
    server: startOf(bundle, platform, known),
    inputs,
    ...(bundle.tools && { tools: bundle.tools.map((tool) => tool.name) }),
    works: {
      ...(compatibility?.platforms && { platforms: compatibility.platforms }),
      ...(compatibility?.runtimes?.node && { node: compatibility.runtimes.node }),
      ...(compatibility?.runtimes?.python && { python: compatibility.runtimes.python }),
    },
  };
}

function aboutIn(bundle: Bundle): NonNullable<ServerFile["about"]> {
  const { long_description, documentation, support, repository, privacy_policies, screenshots } = bundle;
  const address = typeof repository === "string" ? repository : repository?.url;
  return {
    ...(long_description && { longDescription: long_description }),
    ...(documentation && { documentation }),
    ...(support && { support }),
    ...(address && { repository: address.replace(/^git\+/, "") }),
    ...(privacy_policies && { privacyPolicies: privacy_policies.slice(0, 50) }),
    ...(screenshots && { screenshots: screenshots.slice(0, 50) }),
  };
}

function startOf({ server }: Bundle, platform: NodeJS.Platform, known: ReadonlySet<string>): McpServer {
  const { platform_overrides: overrides, ...usual } = server.mcp_config ?? {};
  const config = { ...usual, ...overrides?.[platform] };
  const args: Part[] = (config.args ?? []).map((text) => bundlePart(text, known));
  const env = Object.fromEntries(
    Object.entries(config.env ?? {}).map(([key, text]) => [key, bundlePart(text, known)]),
  );
  const common = { args, env, cwd: "plugin" } as const;
  const isNode =
    config.command === undefined ? server.type === "node" : /^node(?:\.exe)?$/.test(config.command);
  if (isNode) {
    const [first, ...rest] = args;
    // Its own file stands first among the arguments; where it does not, the manifest names it.
    const entry = ownPath(first) ?? server.entry_point;
    return { type: "node", entry, ...common, args: ownPath(first) === null ? args : rest };
  }
  if (config.command === undefined && server.type === "uv")
    return { type: "program", command: "uv", ...common, args: ["run", server.entry_point] };
  const command = config.command ?? (server.type === "python" ? "python3" : `./${server.entry_point}`);
  const own = ownPath(bundlePart(command, known));
  return {
    type: "program",
    command: own === null ? command : `./${withEnding(own, server.type, platform)}`,
    ...common,
    ...(config.command === undefined &&
      server.type === "python" && { args: [{ join: [{ place: "plugin" }, "/", server.entry_point] }] }),
  };
}

/** A path in the bundle's folder, where a part is nothing else; else null. */
function ownPath(part: Part | undefined): string | null {
  if (typeof part !== "object" || !("join" in part)) return null;
  const [place, ...rest] = part.join;
  if (typeof place !== "object" || !("place" in place) || place.place !== "plugin") return null;
  return rest.every((one) => typeof one === "string") ? rest.join("").replace(/^[/\\]+/, "") : null;
}

function withEnding(file: string, type: string, platform: NodeJS.Platform): string {
  return type === "binary" && platform === "win32" && !/\.[a-z]+$/i.test(file) ? `${file}.exe` : file;
}

function inputOf(name: string, field: z.infer<typeof configSchema>): ServerInput {
  const { type, title, description, required = false, multiple = false, sensitive = false, min, max } = field;
  const given = defaultIn(field.default);
  return {
    name,
    type,
    required,
    multiple,
    secret: sensitive,
    ...(title && { title }),
    ...(description && { description }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(given !== undefined && { default: given }),
  };
}

/** A default with the places of the person in it filled in; undefined where it names something that Patchbay does not know. */
function defaultIn(given: ServerInput["default"]): ServerInput["default"] {
  if (Array.isArray(given)) {
    const known = given.map(placed).filter((one) => one !== undefined);
    return known.length === given.length ? known : undefined;
  }
  return typeof given === "string" ? placed(given) : given;
}

function placed(text: string): string | undefined {
  const part = bundlePart(text, new Set());
  const filled = textOf(part, { inputs: {}, places: placesOf("", "") });
  return filled.includes("${") || inPlugin(part) ? undefined : filled;
}

/** Where the bundle itself lies is not known before it is in its place. */
function inPlugin(part: Part): boolean {
  if (typeof part === "string" || "input" in part) return false;
  return "place" in part ? part.place === "plugin" : part.join.some(inPlugin);
}
