import { type Agent, PatchbayError, type SessionEntry } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { resolveReferences } from "../../secrets/index.ts";
import type { SecretLookup } from "../ports.ts";
import type { ReadyModel } from "./model.ts";

export type { Heard } from "./asked-again.ts";
export type { AskOptions, ReadyModel } from "./model.ts";

/**
 * Makes the model of an agent ready for a turn of a session.
 * @throws PatchbayError MODEL_NOT_SET, MISSING_SECRET, SCRIPT_INVALID
 */
export async function readyModel(
  agent: Agent,
  secrets: SecretLookup,
  entries: readonly SessionEntry[],
  clock: Clock,
): Promise<ReadyModel> {
  const config = agent.model;
  switch (config.kind) {
    case "none":
      throw new PatchbayError("MODEL_NOT_SET", `${agent.name} has no model yet.`);
    case "scripted": {
      const [{ readScript }, { scriptedModelOf }] = await Promise.all([
        import("./script-file.ts"),
        import("./scripted.ts"),
      ]);
      return scriptedModelOf(await readScript(config.file, agent.workspace), entries, clock);
    }
    case "anthropic":
    case "openai":
    case "openai-compatible":
    case "provider": {
      const resolved = resolveReferences(config.apiKey ?? "", (name) => secrets.resolve(name, agent.id));
      if (resolved.missing.length > 0) {
        const names = resolved.missing.join(", ");
        const text = `The key of the model of ${agent.name} is not stored: ${names}.`;
        throw new PatchbayError("MISSING_SECRET", text, { details: { missing: resolved.missing } });
      }
      const { httpModelOf } = await import("./http-model.ts");
      return httpModelOf(config, resolved.config || undefined, clock);
    }
  }
}
