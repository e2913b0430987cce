import { toProblem } from "../../../contract/index.ts";
import { knownModelOf } from "../../agents/models/catalogue.ts";
import { listModels } from "../../agents/models/list-models.ts";
import { localModels } from "../../agents/models/local-models.ts";
import { testModel } from "../../agents/models/test-model.ts";
import { resolveReferences, type Vault } from "../../secrets/index.ts";
import type { Views } from "../../views/views.ts";
import { procedures } from "../implementer.ts";

export interface ModelNeeds {
  views: Pick<Views, "agentById">;
  vault: Pick<Vault, "resolve" | "redact">;
}

export function modelProcedures({ views, vault }: ModelNeeds) {
  return {
    local: procedures.models.local.handler(() => localModels()),
    list: procedures.models.list.handler(({ input: { agentId, place, key } }) => {
      const stored = () => {
        const { config, missing } = resolveReferences(place.apiKey ?? "", (name) =>
          vault.resolve(name, agentId ?? null),
        );
        return missing.length > 0 || config === "" ? undefined : config;
      };
      return listModels(place, key ?? stored());
    }),
    known: procedures.models.known.handler(async ({ input: { agentId } }) => ({
      model: await knownModelOf(views.agentById(agentId).model),
    })),
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
