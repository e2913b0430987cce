import { z } from "zod";
import { agentPluginViewSchema } from "../agent-plugin.ts";
import { pluginViewSchema } from "../plugin.ts";
import { offeredSchema } from "../tools/check.ts";
import { reviewSchema, verdictSchema } from "../tools/said.ts";
import { agentPluginRef, has, oc, pluginRef } from "./refs.ts";

/** What a plugin says of what it offers, and what the person says to that. */
export const reviewing = {
  /** What it changed, added or no longer offers, with both texts. */
  review: oc.route({ method: "GET", path: "/plugins/{key}/review" }).input(pluginRef).output(reviewSchema),
  /** Accepts what it says now, or leaves it held: all or nothing. */
  decideReview: oc
    .route({ method: "POST", path: "/plugins/{key}/review" })
    .meta({ personOnly: [{ act: "grant", when: accepts }] })
    .input(pluginRef.extend({ verdicts: z.array(verdictSchema).min(1).max(2_000) }))
    .output(reviewSchema),
  /** What it says that it offers, heard at its start; also before it is switched on. Empty while nothing was heard. */
  offered: oc.route({ method: "GET", path: "/plugins/{key}/offered" }).input(pluginRef).output(offeredSchema),
  /**
   * Starts it once behind its walls to see what it offers, and stops it; for plugin systems that say it only while they run.
   * Resolves when it has stopped. How that went is in `check`, a failure too.
   */
  check: oc.route({ method: "POST", path: "/plugins/{key}/check" }).input(pluginRef).output(pluginViewSchema),
  /**
   * Gives a start that `check` or an installation waits for as much time again, or the `most`: an hour. Does nothing when
   * there is none.
   */
  waitLonger: oc
    .route({ method: "POST", path: "/plugins/{key}/check/wait-longer" })
    .input(pluginRef.extend({ most: z.boolean().default(false) }))
    .output(pluginViewSchema),
};

export const pictured = {
  /** One of the pictures that show the plugin at work, by its place in `declaration.about.screenshots`, as a `data:` address. */
  screenshot: oc
    .route({ method: "GET", path: "/plugins/{key}/screenshots/{number}" })
    .input(pluginRef.extend({ number: z.coerce.number().int().min(0) }))
    .output(z.object({ picture: z.string() })),
};

/** A part of `catalog`. */
export const iconed = {
  /** The icon of something that a catalogue lists, as a `data:` address; null where it has none that is shown. */
  icon: oc
    .route({ method: "GET", path: "/catalog/icon" })
    .input(z.object({ packageName: z.string().min(1).max(300) }))
    .output(z.object({ icon: z.string().nullable() })),
};

export const switching = {
  /** Gives a start that may have to fetch the program first as much time again. Does nothing when there is none. */
  waitLonger: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/wait-longer" })
    .input(agentPluginRef)
    .output(agentPluginViewSchema),
  /**
   * Switches tools of a plugin for the agent, by their names on the wire. `others`: whether tools that nobody switched are
   * on.
   */
  switchTools: oc
    .route({ method: "PUT", path: "/agents/{agentId}/plugins/{key}/tools" })
    .meta({ personOnly: [{ act: "policy", when: switchesOn }] })
    .input(
      agentPluginRef.extend({
        tools: z.record(z.string().min(1).max(128), z.boolean()).default({}),
        others: z.boolean().optional(),
      }),
    )
    .output(agentPluginViewSchema),
};

function switchesOn(input: unknown): boolean {
  if (has("others", true)(input)) return true;
  const asked = z.object({ tools: z.record(z.string(), z.unknown()) }).safeParse(input);
  return asked.success && Object.values(asked.data.tools).some((on) => on !== false);
}

function accepts(input: unknown): boolean {
  const asked = z.object({ verdicts: z.array(z.object({ accept: z.literal(false) })) }).safeParse(input);
  return !asked.success;
}
