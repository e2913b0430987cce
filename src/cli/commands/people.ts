import { Argument, type Command } from "commander";
import type { AgentPluginView, ChannelPerson, PersonDecision } from "../../contract/index.ts";
import { type Perform, usageError, withClient } from "../command.ts";
import { type Paint, table } from "../terminal/output.ts";

const words = ["approve", "refuse", "block", "remove"] as const;
type Word = (typeof words)[number];

interface PeopleOptions {
  agent: string;
  owner?: boolean;
}

/** Who wrote to a channel: `patchbay plugin people irc [approve CODE | refuse … | block … | remove ID] --agent A`. */
export function addPeopleCommands(program: Command, perform: Perform): void {
  const plugin = program.commands.find((command) => command.name() === "plugin") as Command;
  const people = plugin
    .command("people <key>")
    .description(
      "who waits to be let in by a channel, and who was; approve, refuse, block or remove somebody",
    )
    .addArgument(new Argument("[decision]", "what is decided").choices(words))
    .argument("[person]", "the code that they were told, or their id")
    .requiredOption("--agent <id>", "the agent")
    .option("--owner", "with approve: as an owner, who may also decide what the agent is allowed to do")
    .action((key: string, word: Word | undefined, person: string | undefined, options: PeopleOptions) => {
      if (word && !person) usageError(people, `${word} needs the code or the id of somebody`);
      if (options.owner && word !== "approve") usageError(people, "--owner goes with approve");
      const { agent: agentId } = options;
      return perform(
        withClient(async ({ output }, client) => {
          const view = await client.agentPlugins.get({ agentId, key });
          if (!word || !person) {
            output.result(view.people ?? [], () => describe(view.people ?? [], output.paint));
            return;
          }
          const found = personIn(view, person);
          const decision = decisionOf(word, options.owner === true);
          const who = found ? { userId: found.userId } : { code: person };
          const decided = await client.agentPlugins.decidePerson({ agentId, key, person: who, decision });
          const name = found ? `${found.name ?? "No name"} (${found.userId})` : person;
          output.result(
            decided.people ?? [],
            () => `${output.paint.good("✓")} ${name} ${outcomes[decision]}.`,
          );
        }),
      );
    });
}

/** The person of a code or an id. A code that is not there is left to the core to judge. */
function personIn({ people = [] }: AgentPluginView, typed: string): ChannelPerson | undefined {
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return people.find((one) => one.userId === typed || (one.code && one.code.replace("-", "") === code));
}

function decisionOf(word: Word, owner: boolean): PersonDecision {
  if (word === "approve") return owner ? "owner" : "user";
  return word;
}

const outcomes: Record<PersonDecision, string> = {
  user: "may write now",
  owner: "is an owner now",
  refuse: "was turned away for a day",
  block: "is blocked",
  remove: "was removed",
};

const states: Record<ChannelPerson["status"], string> = {
  waiting: "waits",
  user: "may write",
  owner: "owner",
  refused: "turned away",
  blocked: "blocked",
};

function describe(people: readonly ChannelPerson[], paint: Paint): string {
  if (people.length === 0) return "Nobody waits, and nobody was let in beside the people of the settings.";
  return table(
    people.map(({ userId, name, status, code, expiresAt, firstSeenAt }) => [
      name ?? "No name",
      userId,
      status === "waiting" ? paint.warn(states.waiting) : states[status],
      status === "waiting" ? codeText(code, expiresAt) : "",
      paint.dim(`first seen ${firstSeenAt}`),
    ]),
  );
}

function codeText(code: string | undefined, expiresAt: string | undefined): string {
  return expiresAt !== undefined && Date.parse(expiresAt) > Date.now() ? (code ?? "") : "its code has ended";
}
