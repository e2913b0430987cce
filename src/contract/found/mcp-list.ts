import { z } from "zod";

/** The registry that the makers of MCP keep; used only when the person says so. */
export const officialMcpRegistry = "https://registry.modelcontextprotocol.io";

/** How far the list of the MCP Registry is known here. */
export const mcpListSchema = z.object({
  /** When it was asked last with success; null: never, or no registry is set. */
  listedAt: z.iso.datetime().nullable(),
  /** When it could not be asked last, since it was asked with success; null: it could. */
  failedAt: z.iso.datetime().nullable(),
  /** How many servers were read so far, while its list is fetched for the first time; null: that is not under way. */
  reading: z.number().int().nullable(),
});
export type McpList = z.infer<typeof mcpListSchema>;

/** Ways in which a server of a registry can be had, the surest first. */
export const serverWaySchema = z.enum(["npm", "mcpb", "remote", "pypi", "oci", "nuget"]);
export type ServerWay = z.infer<typeof serverWaySchema>;

/** What a registry says against one of its entries. */
export const adviceSchema = z.object({
  /** `deprecated`: its publisher advises against it. `withdrawn`: it was taken off the list, and is not installed any more. */
  status: z.enum(["deprecated", "withdrawn"]),
  /** In the words of whoever said so; absent: nothing was said. */
  message: z.string().optional(),
});
export type Advice = z.infer<typeof adviceSchema>;
