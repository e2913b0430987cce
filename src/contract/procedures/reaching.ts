import { z } from "zod";
import { agentPluginViewSchema } from "../agent-plugin.ts";
import { exactHostSchema, grantsSchema } from "../grants.ts";
import { pluginPermissionsSchema, walledEventSchema } from "../permissions/view.ts";
import { agentPluginRef, oc } from "./refs.ts";

/** What one plugin of an agent may reach. */
export const reaching = {
  /** What it may reach of the machine and the network, and what it reached and tried. */
  permissions: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/permissions" })
    .input(agentPluginRef)
    .output(pluginPermissionsSchema),
  /** Gives it less than it has; refused when anything would become possible by it. */
  narrow: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/permissions/narrow" })
    .input(agentPluginRef.extend({ grants: grantsSchema, revision: z.number().int().optional() }))
    .output(pluginPermissionsSchema),
  /** Says what it may reach. Null: what it asked for and the person agreed to at its installation. */
  grant: oc
    .route({ method: "PUT", path: "/agents/{agentId}/plugins/{key}/permissions" })
    .meta({ personOnly: [{ act: "grant" }] })
    .input(agentPluginRef.extend({ grants: grantsSchema.nullable(), revision: z.number().int().optional() }))
    .output(pluginPermissionsSchema),
  /** What walls refused to it and what the person granted, today and yesterday, the newest first; at most 200. */
  walledEvents: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/permissions/events" })
    .input(agentPluginRef)
    .output(z.array(walledEventSchema)),
  /**
   * Adds one host that a call was refused for: to the list in the settings of the plugin and to its grants, as far as they
   * name hosts. Only names of the public internet, and never a wildcard.
   */
  addHost: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/hosts" })
    .meta({ personOnly: [{ act: "grant", of: "programs" }] })
    .input(agentPluginRef.extend({ host: exactHostSchema }))
    .output(agentPluginViewSchema),
};
