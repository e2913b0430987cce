import { type Agent, PatchbayError } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { within } from "../../base/limit.ts";
import type { SecretLookup } from "../ports.ts";
import { readyModel } from "./index.ts";
import { modelLabel } from "./model.ts";

/** How long a tiny answer may take, in milliseconds. */
const patienceMs = 30_000;

/**
 * Makes one tiny call to the agent's model. `key`: used in place of the stored one.
 * @throws PatchbayError MODEL_NOT_SET, MISSING_SECRET, SCRIPT_INVALID, MODEL_KEY_REFUSED, MODEL_UNREACHABLE, MODEL_FAILED
 */
export async function testModel(
  agent: Agent,
  secrets: SecretLookup,
  key?: string,
  clock: Clock = systemClock,
): Promise<{ model: string; ms: number }> {
  const begin = clock.ticks();
  const lookup: SecretLookup = {
    resolve: (name, agentId) => key ?? secrets.resolve(name, agentId),
    redact: (text) => secrets.redact(key === undefined ? text : text.replaceAll(key, "•••")),
  };
  const ready = await readyModel(agent, lookup, [], clock);
  // A scripted model is tested by reading its script. Running it would take as long as its first step's delay.
  if (agent.model.kind !== "scripted") {
    const { normalizeContext } = await import("@earendil-works/pi-ai");
    const question = { role: "user" as const, content: "Answer with the word ok.", timestamp: clock.now() };
    const context = normalizeContext({ messages: [question] });
    const late = () =>
      new PatchbayError("MODEL_UNREACHABLE", `${ready.model.baseUrl} did not answer within 30 s.`);
    const answer = await within({ ms: patienceMs, clock, late }, async ({ signal }) => {
      const stream = await ready.stream(ready.model, context, { signal, maxTokens: 16 });
      return stream.result();
    });
    if (answer.stopReason === "error") {
      const problem = ready.problemOf(answer);
      throw new PatchbayError(problem.code, lookup.redact(problem.message), {
        details: Object.fromEntries(
          Object.entries(problem.details ?? {}).map(([name, value]) => [
            name,
            typeof value === "string" ? lookup.redact(value) : value,
          ]),
        ),
      });
    }
  }
  return { model: modelLabel(agent.model), ms: Math.round(clock.ticks() - begin) };
}
