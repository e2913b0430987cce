import { withDefaults } from "@patchbay/plugin-sdk";
import { PatchbayError, type RecordEvent, type RecordEventOf } from "../../../../contract/index.ts";
import type { SecretLookup } from "../../ports.ts";
import { redactDeep } from "../../redact.ts";
import { digestOf } from "../../tools/approval-step.ts";
import { builtinTools } from "../../tools/builtin/index.ts";
import type { Offer } from "../../turns/world.ts";
import type { RecordedTurn } from "../recorded/recorded-turn.ts";

/** A tool call of the recorded turn. */
interface RecordedCall {
  digest: string;
  tool: string;
  events: readonly RecordEvent[];
}

/** What came of a recorded call, from its events. */
export interface RecordedAnswer {
  answered: RecordEventOf<"tool_answered">;
  progress: readonly string[];
  effects: readonly unknown[];
}

/**
 * The calls of a recorded turn, found by their tool and their final arguments. Of several that are the same each is found
 * once, in order.
 */
export class AnswerBook {
  private readonly calls: readonly RecordedCall[];
  private readonly schemas: ReadonlyMap<string, Record<string, unknown>>;
  private readonly secrets: Pick<SecretLookup, "redact" | "hasNone">;
  private readonly judged = new Set<RecordedCall>();
  private readonly ran = new Set<RecordedCall>();

  constructor(turn: RecordedTurn, secrets: Pick<SecretLookup, "redact" | "hasNone">) {
    this.schemas = schemasOf(turn);
    this.secrets = secrets;
    this.calls = turn.all("tool_called").map((called) => {
      const events = turn.events.filter(({ spanId }) => spanId === called.spanId);
      const rewritten = events.findLast((event) => event.type === "tool_rewritten");
      const given = rewritten?.type === "tool_rewritten" ? rewritten.arguments : called.arguments;
      return { digest: this.digest(called.tool, given), tool: called.tool, events };
    });
  }

  /** What the person was asked about exactly this call, and said; undefined when the turn made no such call. */
  decisionOn(tool: string, input: Record<string, unknown>): readonly RecordEvent[] | undefined {
    const call = this.next(tool, input, this.judged);
    if (call) this.judged.add(call);
    return call?.events;
  }

  /** Like {@link decisionOn}, and the call can still be found by it. */
  peek(tool: string, input: Record<string, unknown>): readonly RecordEvent[] | undefined {
    return this.next(tool, input, this.judged)?.events;
  }

  /** @throws PatchbayError REPLAY_NO_ANSWER when the turn did not run this tool with these arguments */
  answerTo(tool: string, input: Record<string, unknown>): RecordedAnswer {
    const call = this.next(tool, input, this.ran);
    const answered = call?.events.find((event) => event.type === "tool_answered");
    if (!call || answered?.type !== "tool_answered") throw noAnswer(tool, this.calls);
    this.ran.add(call);
    return {
      answered,
      progress: call.events.flatMap((event) => (event.type === "tool_progress" ? [event.text] : [])),
      effects: call.events.flatMap((event) =>
        event.type === "effects_asked" && Array.isArray(event.effects) ? event.effects : [],
      ),
    };
  }

  private next(
    tool: string,
    input: Record<string, unknown>,
    used: ReadonlySet<RecordedCall>,
  ): RecordedCall | undefined {
    const digest = this.digest(tool, input);
    return this.calls.find((call) => call.digest === digest && !used.has(call));
  }

  /** Of the arguments as the record has them: with what the schema has defaults for, without stored secrets. */
  private digest(tool: string, input: Record<string, unknown>): string {
    const schema = this.schemas.get(tool);
    return digestOf(tool, redactDeep(schema ? withDefaults(schema, input) : input, this.secrets));
  }
}

/** The schemas of the tools that were offered at any time in the turn, by name. */
function schemasOf(turn: RecordedTurn): Map<string, Record<string, unknown>> {
  const offers: Offer[] = [turn.world, ...turn.all("offer_changed").map(({ offer }) => offer as Offer)];
  const infos = [
    ...offers.flatMap(({ live }) => live.tools),
    ...[...builtinTools.values()].map(({ info }) => info),
  ];
  return new Map(infos.map(({ name, parameters }) => [name, parameters]));
}

function noAnswer(tool: string, calls: readonly RecordedCall[]): PatchbayError {
  const isKnown = calls.some((call) => call.tool === tool);
  return new PatchbayError(
    "REPLAY_NO_ANSWER",
    isKnown
      ? `${tool} was not run: the recorded turn has no answer of it to these arguments.`
      : `${tool} was not run: the recorded turn did not call it.`,
  );
}
