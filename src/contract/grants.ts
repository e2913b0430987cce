import { z } from "zod";
import type { Asks } from "./asks.ts";

/**
 * A host name or address as grants name it: `api.example.com`, `*.example.com` (every name below it), `192.168.1.4`,
 * `[::1]`; each may end in `:port`, otherwise every port is meant.
 */
export const hostRuleSchema = z
  .string()
  .min(1)
  .max(260)
  .regex(/^(\*\.)?[^\s/*@]+$/, "a host name such as api.example.com, *.example.com or localhost:8080");

/** One host by its exact name or address, in lower case, with a port where that is not 443: `api.example.com`. */
export const exactHostSchema = z
  .string()
  .min(1)
  .max(260)
  .regex(
    /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?$/,
    "one host in lower case, such as api.example.com or localhost:8443",
  );

/** What a plugin may reach of the machine and the network. Enforced by the walls, whatever the plugin says. */
export const grantsSchema = z.strictObject({
  network: z.strictObject({
    /**
     * `none`: every connection is refused. `hosts`: the named hosts; any other one is a question to the person. `any`:
     * every public address; addresses of this machine and its local network are a question unless they are named.
     */
    reach: z.enum(["none", "hosts", "any"]),
    hosts: z.array(hostRuleSchema).max(500),
    /** Hosts for which the person said no for good: refused without a question. */
    refused: z.array(hostRuleSchema).max(500),
  }),
  files: z.strictObject({
    workspace: z.enum(["none", "read", "write"]),
    /** Further folders or files, by absolute path. Patchbay's own folder stays hidden in each of them. */
    folders: z.array(z.strictObject({ path: z.string().min(1), access: z.enum(["read", "write"]) })).max(100),
  }),
  programs: z.strictObject({
    reach: z.enum(["none", "named", "any"]),
    /** Names that are looked up in the search path, or absolute paths; used by `named`. */
    names: z.array(z.string().min(1)).max(100),
  }),
  /**
   * It may ask the agent's model in the middle of a call, and the person is asked about that. Absent: it may not, whatever
   * it declares.
   */
  model: z.literal(true).optional(),
});
export type Grants = z.infer<typeof grantsSchema>;

/** Nothing but its own files, and a question for each host. */
export const tightestGrants: Grants = {
  network: { reach: "none", hosts: [], refused: [] },
  files: { workspace: "none", folders: [] },
  programs: { reach: "none", names: [] },
};

/**
 * What a plugin is given when the person agrees to what it asks for. Of what it does not declare it gets nothing; hosts
 * that it does not name are asked for one by one.
 */
export function grantsOf(asks: Pick<Asks, "hosts" | "files" | "programs">): Grants {
  const named = Array.isArray(asks.hosts)
    ? asks.hosts.filter((host) => hostRuleSchema.safeParse(host).success)
    : [];
  return {
    network: { reach: reachOf(asks.hosts), hosts: named, refused: [] },
    files: {
      workspace: workspaceOf(asks.files),
      folders: asks.files === "all" ? [{ path: "/", access: "write" }] : [],
    },
    programs: { reach: asks.programs ? "any" : "none", names: [] },
  };
}

function workspaceOf(files: Asks["files"]): Grants["files"]["workspace"] {
  switch (files) {
    case "workspace":
    case "all":
      return "write";
    case "read":
      return "read";
    case "none":
    case null:
      return "none";
  }
}

function reachOf(hosts: Asks["hosts"]): Grants["network"]["reach"] {
  if (hosts === "any") return "any";
  return hosts !== null && hosts.length === 0 ? "none" : "hosts";
}
