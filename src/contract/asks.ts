import { z } from "zod";

/** What a manifest or a catalogue may say that a plugin needs leave for. What is left out is not said. */
export const permissionsSchema = z.object({
  network: z.union([z.array(z.string()), z.literal(true)]).optional(),
  files: z.enum(["none", "workspace", "all"]).optional(),
  subprocess: z.boolean().optional(),
});
export type Permissions = z.infer<typeof permissionsSchema>;

/** What a plugin asks for, in one shape for all plugin systems: it is shown for consent, and an update is measured by it. */
export const asksSchema = z.object({
  /** False: it says nothing of what it reaches, and so promises nothing. */
  declared: z.boolean(),
  /** Its plugin system holds it to this. False: it can do whatever its person can. */
  enforced: z.boolean(),
  /** Addresses that it wants to reach; null: it does not say. */
  hosts: z.union([z.array(z.string()), z.literal("any")]).nullable(),
  files: z.enum(["none", "workspace", "all"]).nullable(),
  /** It wants to start other programs; null: it does not say. */
  programs: z.boolean().nullable(),
  /** What else it wants leave for, by the names of its plugin system. */
  grants: z.array(z.string()),
  /** Programs that want to run at installation and removal, as they are written. */
  scripts: z.array(z.object({ name: z.string(), command: z.string() })),
});
export type Asks = z.infer<typeof asksSchema>;

/** What permissions ask for; null: there are none. */
export function asksOf(permissions: Permissions | null): Asks {
  const network = permissions?.network;
  return {
    declared: permissions !== null,
    enforced: false,
    hosts: network === true ? "any" : (network ?? null),
    files: permissions?.files ?? null,
    programs: permissions?.subprocess ?? null,
    grants: [],
    scripts: [],
  };
}
