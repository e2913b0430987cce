import { z } from "zod";
import { isObject } from "../../is-object.ts";
import { recordEventSchema } from "../../record.ts";
import { comparedTurnsSchema } from "../../trace/compared.ts";
import { replaySchema, replayWishSchema, testPartSchema, turnSideSchema } from "../../trace/replay.ts";
import { agentRef, done, has, oc } from "../refs.ts";
import { turnRef } from "./traces.ts";

const replayRef = agentRef.extend({ replayId: z.string() });
const turnPath = "/agents/{agentId}/sessions/{sessionId}/turns/{turnId}";
const replayPath = "/agents/{agentId}/replays/{replayId}";

/** Code is run that is not the installed one. */
function runsOthers(input: unknown): boolean {
  return isObject(input) && isObject(input.versions) && Object.keys(input.versions).length > 0;
}

/** Tools are really run, or code that is not the installed one. */
function doesMore(input: unknown): boolean {
  const isLive = has("tools", "live");
  return isLive(input) || runsOthers(input);
}

export const replays = {
  /**
   * Runs a recorded turn again, to its end; an aborted call stops it. The conversation stays as it is. What is not recorded is
   * really asked: with live tools the tools do what they do, and the person is asked about calls as in any turn.
   */
  run: oc
    .route({ method: "POST", path: `${turnPath}/replays` })
    .meta({ personOnly: [{ act: "run", when: doesMore, of: "programs" }] })
    .input(turnRef.extend(replayWishSchema.shape))
    .output(replaySchema),
  /** The replays of an agent that are still kept, newest first. */
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/replays" })
    .input(agentRef)
    .output(z.array(replaySchema)),
  /** The events of a replay; large values as in the record of a turn. */
  turn: oc.route({ method: "GET", path: replayPath }).input(replayRef).output(z.array(recordEventSchema)),
  discard: oc.route({ method: "DELETE", path: replayPath }).input(replayRef).output(done),
  /** Two turns of an agent beside each other; either may be a replay. */
  compare: oc
    .route({ method: "POST", path: "/agents/{agentId}/turns/compare" })
    .input(agentRef.extend({ left: turnSideSchema, right: turnSideSchema }))
    .output(comparedTurnsSchema),
  /** A recorded turn as a file that `patchbay agent replay` runs and judges, without stored secrets. */
  keep: oc
    .route({ method: "GET", path: `${turnPath}/test` })
    .input(turnRef)
    .output(z.object({ name: z.string(), text: z.string() })),
  /** Runs a turn that was kept as a test with the plugins of an agent, and says what of it is not as it was. */
  judge: oc
    .route({ method: "POST", path: "/agents/{agentId}/replays/judge" })
    .meta({ personOnly: [{ act: "run", when: runsOthers, of: "programs" }] })
    .input(
      agentRef.extend({
        file: z.string(),
        ...replayWishSchema.pick({ without: true, versions: true, model: true }).shape,
      }),
    )
    .output(z.object({ name: z.string(), expect: z.array(testPartSchema), compared: comparedTurnsSchema })),
};
