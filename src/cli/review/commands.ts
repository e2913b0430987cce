import type { Command } from "commander";
import { linesBetween } from "../../contract/diff/text-diff.ts";
import { type HeldThing, PatchbayError, type Review } from "../../contract/index.ts";
import { exactText } from "../../contract/shown/clean-text.ts";
import { type Perform, withClient } from "../command.ts";
import { checkLines } from "../terminal/check-words.ts";
import type { Output } from "../terminal/output.ts";

const collect = (value: string, values: string[]) => [...values, value];

interface ReviewOptions {
  accept?: boolean;
  keep?: boolean;
  only: string[];
}

/** `patchbay plugin review | check | tools`: what a plugin says of its tools now, and which an agent is offered. */
export function addReviewCommands(program: Command, perform: Perform): void {
  const plugin = program.commands.find((command) => command.name() === "plugin") as Command;
  plugin
    .command("review <key>")
    .description("what a plugin says now and you have not agreed to: it is held until you accept it")
    .option("--accept", "accept it as it is shown")
    .option("--keep", "leave it held, and be asked no more until it changes again")
    .option("--only <name>", "of it this tool or prompt alone (repeatable)", collect, [])
    .action((key: string, { accept, keep, only }: ReviewOptions) =>
      perform(
        withClient(async ({ output }, client) => {
          if (accept && keep) throw new PatchbayError("BAD_INPUT", "Give --accept or --keep, not both.");
          const review = await client.plugins.review({ key });
          const chosen = [...review.held, ...(accept ? review.gone : [])].filter(
            ({ name, title }) => only.length === 0 || only.includes(name) || only.includes(title),
          );
          if ((accept || keep) && chosen.length > 0) {
            const verdicts = chosen.map(({ kind, name, hash }) => ({
              kind,
              name,
              hash,
              accept: accept === true,
            }));
            const left = await client.plugins.decideReview({ key, verdicts });
            const done = accept ? "accepted" : "left held";
            const what = chosen.map(({ title }) => title).join(", ");
            output.result(left, () => `${output.paint.good("✓")} ${done}: ${what}`);
            return;
          }
          output.result(review, () => shown(review, output));
        }),
      ),
    );

  plugin
    .command("check <key>")
    .description("start a plugin once, walled in, to see what it offers, and stop it; for MCP servers")
    .action((key: string) =>
      perform(
        withClient(async ({ output }, client) => {
          const looking = client.plugins.check({ key });
          // Nobody presses "Wait longer" here.
          await client.plugins.waitLonger({ key, most: true });
          const { check } = await looking;
          const lines = check ? checkLines(check, key) : ["Its files say what it offers."];
          output.result({ check: check ?? null }, () => lines.join("\n"));
          return check?.state === "failed" ? 1 : 0;
        }),
      ),
    );

  plugin
    .command("tools <agent> <key>")
    .description("the tools of a plugin, and which of them the agent is offered")
    .option("--on <tool>", "offer a tool, by its name on the wire (repeatable)", collect, [])
    .option("--off <tool>", "take a tool away (repeatable)", collect, [])
    .action((agentId: string, key: string, { on, off }: { on: string[]; off: string[] }) =>
      perform(
        withClient(async ({ output }, client) => {
          const switched = Object.fromEntries([
            ...on.map((name) => [name, true]),
            ...off.map((name) => [name, false]),
          ]);
          if (on.length + off.length > 0)
            await client.agentPlugins.switchTools({ agentId, key, tools: switched });
          const tools = (await client.tools.list({ agentId })).filter(
            ({ owner, passes }) => owner === key && !passes,
          );
          output.result({ tools }, () =>
            tools.length === 0
              ? "It offers no tool right now."
              : tools.map(({ name, withheld }) => `${name}  ${words[withheld ?? "on"]}`).join("\n"),
          );
        }),
      ),
    );
}

const words = {
  on: "offered",
  held: "held: it says something else than before",
  new: "held: it is new",
  off: "switched off",
  beyond: "not among those that were picked",
} as const;

function shown({ key, held, gone, from, version }: Review, output: Output): string {
  const { paint } = output;
  if (held.length + gone.length === 0) return `There is nothing to look at: ${key} says what you agreed to.`;
  return [
    ...(from === undefined ? [] : [paint.dim(`Since the update from ${from} to ${version}:`)]),
    ...held.map((thing) => heldText(thing, output)),
    ...(gone.length > 0 ? [`No longer offered: ${gone.map(({ title }) => title).join(", ")}`] : []),
    paint.dim(`Accept it with: patchbay plugin review ${key} --accept`),
  ].join("\n\n");
}

function heldText(
  { kind, title, change, before, words: now, suspicious, kept }: HeldThing,
  output: Output,
): string {
  const { paint } = output;
  const head = `${paint.bold(kind === "instructions" ? "Instructions to the model" : title)} (${change}${kept ? ", left held" : ""})`;
  const told = (words: HeldThing["words"]) =>
    exactText(`${words.text}\n${JSON.stringify(words.more, null, 2)}`);
  const lines = linesBetween(before ? told(before) : "", told(now)).flatMap(({ sign, parts }) => {
    const text = parts.map((part) => part.text).join("");
    if (sign === "same") return [`    ${paint.dim(text)}`];
    if (sign === "removed") return before ? [`  ${paint.bad(`- ${text}`)}`] : [];
    return [`  ${paint.good(`+ ${text}`)}`];
  });
  const marks = suspicious.map(
    ({ kind: of, passage }) => `  ${paint.bad("!")} ${suspicionWords[of]}: “${passage}”`,
  );
  return [head, ...marks, ...lines].join("\n");
}

const suspicionWords = {
  hidden: "characters that nobody sees",
  orders: "tells the model to disregard what it was told",
  secrecy: "asks to keep something from you",
  other_tool: "speaks of a tool of another plugin",
  long: "longer than such texts are",
} as const;
