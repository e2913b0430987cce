import { amount, dollars, duration } from "../../telling/figures.ts";
import type { Words } from "../../telling/words.ts";
import type { WholeTurn } from "../whole-turn.ts";

/** The figures of a turn: what they count, and the number. */
export function figuresOf({ record, ms }: WholeTurn, { page }: Words): [what: string, figure: string][] {
  const count = (type: string) => record.filter((event) => event.type === type).length;
  const answers = record.filter((event) => event.type === "model_answered" || event.type === "model_lent");
  const used = answers.flatMap(({ usage }) => (usage ? [usage] : []));
  const tokens = used.reduce((all, one) => all + one.input + one.output + one.cacheRead + one.cacheWrite, 0);
  const costs = answers.flatMap(({ cost }) => (cost ? [cost.total] : []));
  const first = record[0]?.at ?? 0;
  const took = ms ?? (record.at(-1)?.at ?? first) - first;
  const isPriced = costs.length > 0 && costs.length === answers.length;
  const { figures, unknown } = page;
  const problems = count("problem") + record.filter(isFailure).length;
  return [
    [figures.duration, duration(took)],
    [figures.models, amount(count("model_asked"))],
    [figures.tools, amount(count("tool_called"))],
    [figures.hooks, amount(count("hook_asked"))],
    ...(tokens > 0 ? [[figures.tokens, amount(tokens)] as [string, string]] : []),
    ...(tokens > 0
      ? [
          [figures.cost, isPriced ? dollars(costs.reduce((all, one) => all + one, 0)) : unknown] as [
            string,
            string,
          ],
        ]
      : []),
    ...(problems > 0 ? [[figures.problems, amount(problems)] as [string, string]] : []),
  ];
}

function isFailure(event: WholeTurn["record"][number]): boolean {
  if (event.type === "tool_ended") return event.outcome === "failed" || event.outcome === "timed_out";
  return (event.type === "model_answered" || event.type === "turn_ended") && event.problem !== null;
}
