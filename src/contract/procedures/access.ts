import { z } from "zod";
import { screenSchema } from "../access.ts";
import { letInProgramSchema, programAccessSchema } from "../programs/programs.ts";
import { agentRef, done, idRef, oc } from "./refs.ts";

export const access = {
  /**
   * Confirms that the person is there, with the code that was shown or the passphrase of the stored secrets. It holds for
   * a quarter of an hour, for the screen that asks, or for the program that asks under the same name in
   * `x-patchbay-caller`.
   */
  confirm: oc
    .route({ method: "POST", path: "/confirm" })
    .input(z.object({ code: z.string().max(64).optional(), passphrase: z.string().max(1_024).optional() }))
    .output(z.object({ until: z.iso.datetime() })),
  /** Does nothing. A program has the person's word asked for before it begins something in which it will allow calls. */
  prepare: oc
    .route({ method: "POST", path: "/confirm/prepare" })
    .meta({ personOnly: [{ act: "run", of: "programs" }] })
    .output(done),
  screens: oc.route({ method: "GET", path: "/screens" }).output(z.array(screenSchema)),
  /** Makes a code that opens one more screen, once: `<address>/#link=<code>`. */
  openScreen: oc
    .route({ method: "POST", path: "/screens" })
    .meta({ personOnly: [{ act: "screen" }] })
    .output(z.object({ code: z.string() })),
  /** Ends a screen: its page is refused from now on. */
  endScreen: oc.route({ method: "DELETE", path: "/screens/{id}" }).input(idRef).output(done),
  /** How other programs use the tools of an agent over MCP, and which of them were let in over HTTP. */
  programs: oc
    .route({ method: "GET", path: "/agents/{agentId}/programs" })
    .input(agentRef)
    .output(programAccessSchema),
  /** Lets a program use the tools of an agent over HTTP. Its token is shown this once. */
  letIn: oc
    .route({ method: "POST", path: "/agents/{agentId}/programs" })
    .meta({ personOnly: [{ act: "program" }] })
    .input(agentRef.extend({ name: z.string().trim().min(1).max(80) }))
    .output(z.object({ program: letInProgramSchema, token: z.string() })),
  /** Takes that back: the token is refused from now on. */
  endProgram: oc.route({ method: "DELETE", path: "/programs/{id}" }).input(idRef).output(done),
};
