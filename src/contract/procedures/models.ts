import { z } from "zod";
import { agentIdSchema } from "../agent.ts";
import { modelConfigSchema, modelPlaceSchema } from "../models/config.ts";
import { listedModelSchema, modelListSchema } from "../models/listed.ts";
import { problemSchema } from "../problem.ts";
import { agentRef, leadsElsewhere, oc } from "./refs.ts";

/** A model that a server on this computer offers; `baseUrl` speaks OpenAI's protocol and needs no key. */
const localModelSchema = z.object({ server: z.string(), model: z.string(), baseUrl: z.string() });
export type LocalModel = z.infer<typeof localModelSchema>;

export const models = {
  /** The models that Ollama and LM Studio offer on the core's machine now; empty where neither runs. */
  local: oc.route({ method: "GET", path: "/models/local" }).output(z.array(localModelSchema)),
  /**
   * Makes one tiny call to a model: the agent's stored one, or one that is not saved yet. Does not fail when the
   * model does: the problem is part of the answer. `key`: an API key that is not stored yet, used in place of the one
   * that the model refers to.
   */
  test: oc
    .route({ method: "POST", path: "/agents/{agentId}/model/test" })
    // The address that is tried gets the stored key.
    .meta({ personOnly: [{ act: "grant", when: leadsElsewhere, of: "programs" }] })
    .input(agentRef.extend({ model: modelConfigSchema.optional(), key: z.string().min(1).optional() }))
    .output(
      z.discriminatedUnion("ok", [
        z.object({ ok: z.literal(true), model: z.string(), ms: z.number() }),
        z.object({ ok: z.literal(false), problem: problemSchema }),
      ]),
    ),
  /**
   * Asks a provider or an address for its models. Does not fail when that does: the problem is part of the answer. `key`: one
   * that is not stored yet, used in place of the one that the place refers to. Nothing is followed to another address.
   */
  list: oc
    .route({ method: "POST", path: "/models/list" })
    // Whatever address is named is asked, and gets the key.
    .meta({ personOnly: [{ act: "grant", of: "programs" }] })
    .input(
      z.object({
        /** Whose secrets are looked into; absent: those that all agents share. */
        agentId: agentIdSchema.optional(),
        place: modelPlaceSchema,
        key: z.string().min(1).max(10_000).optional(),
      }),
    )
    .output(modelListSchema),
  /** What is known of the model that an agent has, without asking anybody. Null: nothing, or it has none. */
  known: oc
    .route({ method: "GET", path: "/agents/{agentId}/model" })
    .input(agentRef)
    .output(z.object({ model: listedModelSchema.nullable() })),
};
