import { z } from "zod";

/**
 * Entries of an MCP Registry (server.json, its schema of 2025-12-11), read with a wide heart: older files write their fields
 * with underscores, and a kind that is not known makes nothing else unreadable.
 */

const text = z.string().optional().catch(undefined);

const inputShape = {
  description: text,
  isRequired: z.boolean().optional().catch(undefined),
  isSecret: z.boolean().optional().catch(undefined),
  format: z.enum(["string", "number", "boolean", "filepath"]).optional().catch(undefined),
  default: z.union([z.string(), z.number(), z.boolean()]).transform(String).optional().catch(undefined),
  placeholder: text,
  choices: z.array(z.string()).optional().catch(undefined),
  value: text,
};
const variablesSchema = z.record(z.string(), z.object(inputShape)).optional().catch(undefined);
const valueShape = { ...inputShape, variables: variablesSchema };

export const namedValueSchema = z.object({ name: z.string().min(1), ...valueShape });
export type NamedValue = z.infer<typeof namedValueSchema>;

export const argumentSchema = z.object({
  type: z.enum(["positional", "named"]),
  name: text,
  valueHint: text,
  isRepeated: z.boolean().optional().catch(undefined),
  ...valueShape,
});
export type EntryArgument = z.infer<typeof argumentSchema>;

const remoteSchema = z.object({
  type: z.string(),
  url: z.string().min(1),
  headers: z.array(namedValueSchema).optional().catch(undefined),
  variables: variablesSchema,
});
export type EntryRemote = z.infer<typeof remoteSchema>;

const packageSchema = z.object({
  registryType: z.string(),
  identifier: z.string().min(1),
  version: text,
  registryBaseUrl: text,
  fileSha256: text,
  runtimeHint: text,
  runtimeArguments: z.array(argumentSchema).optional().catch(undefined),
  packageArguments: z.array(argumentSchema).optional().catch(undefined),
  environmentVariables: z.array(namedValueSchema).optional().catch(undefined),
  transport: z.object({ type: z.string(), url: text }).optional().catch(undefined),
});
export type EntryPackage = z.infer<typeof packageSchema>;

const serverSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, "a name such as io.github.acme/tickets"),
  title: text,
  description: z.string().catch(""),
  version: z.string().min(1).max(255),
  websiteUrl: text,
  /** As they came: `registered-icons.ts` judges them. */
  icons: z.array(z.unknown()).max(20).optional().catch(undefined),
  packages: readable(packageSchema),
  remotes: readable(remoteSchema),
});
export type RegistryServer = z.infer<typeof serverSchema>;

export const statusSchema = z.enum(["active", "deprecated", "deleted"]);
export type RegistryStatus = z.infer<typeof statusSchema>;

/** An entry with what the registry itself says of it. */
export interface RegistryEntry {
  server: RegistryServer;
  status: RegistryStatus;
  /** In the words of whoever set the status. */
  statusMessage: string | null;
  publishedAt: string | null;
  isLatest: boolean;
}

const official = "io.modelcontextprotocol.registry/official";
const metaSchema = z.object({
  status: statusSchema.catch("active"),
  statusMessage: text,
  publishedAt: text,
  isLatest: z.boolean().catch(true),
});

/** An entry as a registry answers it; null when it has no usable name or version. */
export function readEntry(raw: unknown): RegistryEntry | null {
  const outer = z
    .looseObject({ server: z.unknown(), _meta: z.record(z.string(), z.unknown()).optional() })
    .safeParse(raw);
  const server = serverSchema.safeParse(
    inCamels(outer.success && outer.data.server ? outer.data.server : raw),
  );
  if (!server.success) return null;
  const meta = metaSchema.safeParse(inCamels(outer.success ? (outer.data._meta?.[official] ?? {}) : {}));
  const { status = "active", statusMessage, publishedAt, isLatest = true } = meta.success ? meta.data : {};
  return {
    server: server.data,
    status,
    statusMessage: statusMessage ?? null,
    publishedAt: publishedAt ?? null,
    isLatest,
  };
}

/** A list of which only the readable entries are taken. */
function readable<T>(schema: z.ZodType<T>) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all.flatMap((one) => {
        const read = schema.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
}

/** The same with the names of fields written as now. Names of variables, which are a person's, stay. */
function inCamels(value: unknown, own = false): unknown {
  if (Array.isArray(value)) return value.map((one) => inCamels(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      own ? name : name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      inCamels(inner, name === "variables"),
    ]),
  );
}
