import { z } from "zod";

/** A place of this machine that a server may be given: folders of the plugin, the agent and the person. */
const placeSchema = z.enum(["plugin", "workspace", "home", "desktop", "documents", "downloads"]);
export type Place = z.infer<typeof placeSchema>;

/**
 * A piece of a command line, an environment variable, a header or an address. A bare `{input}` whose value is a list is
 * several arguments.
 */
export type Part = string | { input: string } | { place: Place } | { join: Part[] };

const partSchema: z.ZodType<Part> = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({ input: z.string() }),
    z.strictObject({ place: placeSchema }),
    z.strictObject({ join: z.array(partSchema).max(100) }),
  ]),
);

const started = {
  args: z.array(partSchema).max(500).default([]),
  env: z.record(z.string(), partSchema).default({}),
  /** Where it is started; a folder of the person's where that is granted, else the workspace. */
  cwd: z
    .union([z.enum(["workspace", "plugin"]), z.strictObject({ folder: z.string().min(1).max(4_096) })])
    .default("workspace"),
};

/** Something that the person sets before the server can be started. */
export const inputSchema = z.object({
  name: z.string().min(1).max(128),
  title: z.string().optional(),
  description: z.string().optional(),
  /** An example of it. */
  placeholder: z.string().max(200).optional(),
  type: z.enum(["string", "number", "boolean", "file", "directory"]).default("string"),
  required: z.boolean().default(false),
  secret: z.boolean().default(false),
  multiple: z.boolean().default(false),
  choices: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});
export type ServerInput = z.infer<typeof inputSchema>;

export const serverSchema = z.discriminatedUnion("type", [
  /** Any program; a name is looked up where the person's shell looks, a path with `./` lies in the plugin's folder. */
  z.object({ type: z.literal("program"), command: z.string().min(1), ...started }),
  /** A file of the plugin's folder, run by Patchbay's own Node. */
  z.object({ type: z.literal("node"), entry: z.string().min(1), ...started }),
  z.object({
    type: z.literal("remote"),
    /** `auto`: Streamable HTTP, and the older SSE where that is all it speaks. */
    transport: z.enum(["auto", "http", "sse"]).default("auto"),
    url: partSchema,
    headers: z.record(z.string(), partSchema).default({}),
    /** The OAuth client that its person has registered for it, and the port that its browser comes back to. */
    clientId: partSchema.optional(),
    clientSecret: partSchema.optional(),
    redirectPort: z.number().int().min(1).max(65_535).optional(),
    scopes: z.array(z.string()).optional(),
  }),
]);
export type McpServer = z.infer<typeof serverSchema>;

/**
 * What Patchbay knows of a server before it runs: the file `patchbay-mcp.json` of a plugin's folder. It is made once, from
 * whatever the source said (an entry of a registry, a bundle, a package, another program's settings, a form), so that no
 * `${…}` is left in it that something could be put into.
 */
export const serverFileSchema = z.object({
  schema: z.literal(1),
  name: z.string().min(1).max(200),
  title: z.string().optional(),
  version: z.string().max(100).default("0"),
  description: z.string().default(""),
  publisher: z.string().optional(),
  homepage: z.string().optional(),
  license: z.string().optional(),
  /** Pictures in the plugin's folder; the first that can be used is shown. */
  icons: z.array(z.string()).max(20).optional(),
  /** Its author's own words about it, as they came; `about.ts` judges them. */
  about: z
    .object({
      longDescription: z.string().optional(),
      documentation: z.string().optional(),
      support: z.string().optional(),
      repository: z.string().optional(),
      privacyPolicies: z.array(z.string()).max(50).optional(),
      /** Pictures in the plugin's folder. */
      screenshots: z.array(z.string()).max(50).optional(),
    })
    .optional(),
  /** By language its English texts and what stands instead of them, as they came. */
  words: z
    .object({ de: z.record(z.string(), z.string()) })
    .partial()
    .optional(),
  origin: z.object({
    kind: z.enum(["registry", "mcpb", "npm", "import", "manual"]),
    name: z.string().optional(),
    sha256: z.string().optional(),
    status: z.string().optional(),
  }),
  server: serverSchema,
  inputs: z.array(inputSchema).max(200).default([]),
  /** Names of tools by its own word, for show; the server's list is the truth. */
  tools: z.array(z.string()).max(1_000).optional(),
  /** Tools that were chosen in the program that it was brought from: only these, or all but these. */
  switches: z
    .object({
      only: z.array(z.string()).max(1_000).optional(),
      off: z.array(z.string()).max(1_000).optional(),
    })
    .optional(),
  /** On which systems and runtimes it works, where it says so. */
  works: z
    .object({
      platforms: z.array(z.string()).optional(),
      node: z.string().optional(),
      python: z.string().optional(),
    })
    .optional(),
});
export type ServerFile = z.infer<typeof serverFileSchema>;

/** Name of the file. */
export const serverFileName = "patchbay-mcp.json";
