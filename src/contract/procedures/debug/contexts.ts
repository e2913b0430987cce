import { z } from "zod";
import { costSchema, modelContextSchema } from "../../trace/context.ts";
import { oc } from "../refs.ts";
import { turnRef } from "./traces.ts";

const turnPath = "/agents/{agentId}/sessions/{sessionId}/turns/{turnId}";
const callRef = turnRef.extend({ call: z.coerce.number().int().positive() });

/** What models were sent, part by part, and what it cost. */
export const contexts = {
  /** What the model was sent in a call, with what each plugin put into it. Without `call` the last one. */
  of: oc
    .route({ method: "GET", path: `${turnPath}/context` })
    .input(turnRef.extend({ call: callRef.shape.call.optional() }))
    .output(modelContextSchema),
  /** The whole text of a part of it. */
  text: oc
    .route({ method: "GET", path: `${turnPath}/context/{call}/parts/{part}` })
    .input(callRef.extend({ part: z.coerce.number().int().nonnegative() }))
    .output(z.object({ text: z.string() })),
  /** What a turn and its whole conversation cost. */
  cost: oc
    .route({ method: "GET", path: `${turnPath}/cost` })
    .input(turnRef)
    .output(costSchema),
};
