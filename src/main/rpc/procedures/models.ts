import { toProblem } from "../../../contract/index.ts";
import { testModel } from "../../agents/models/test-model.ts";
import { procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function modelProcedures({ views, vault }: Needs<"views" | "vault">) {
  return {
    test: procedures.models.test.handler(async ({ input: { agentId, model, key } }) => {
      const agent = views.agentById(agentId);
      try {
        return {
          ok: true as const,
          ...(await testModel({ ...agent, model: model ?? agent.model }, vault, key)),
        };
      } catch (error) {
        return { ok: false as const, problem: toProblem(error, "MODEL_FAILED") };
      }
    }),
  };
}
