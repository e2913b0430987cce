import type { Command } from "commander";
import type { ChannelTraffic } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import { type Paint, table } from "../terminal/output.ts";

/** What goes through a channel: `patchbay plugin traffic | test-message … --agent A`. */
export function addChannelTrafficCommands(program: Command, perform: Perform): void {
  const plugin = program.commands.find((command) => command.name() === "plugin") as Command;

  plugin
    .command("traffic <key>")
    .description("how many messages a channel brought in and took out, by conversation")
    .requiredOption("--agent <id>", "the agent")
    .option("--text", "with what was said lately")
    .option("--limit <number>", "most conversations to show", "20")
    .action(
      (key: string, { agent: agentId, text, limit }: { agent: string; text?: boolean; limit: string }) =>
        perform(
          withClient(async ({ output }, client) => {
            const traffic = await client.agentPlugins.traffic({
              agentId,
              key,
              text: text ?? false,
              limit: Number(limit),
            });
            output.result(traffic, () => describe(traffic, output.paint));
          }),
        ),
    );

  plugin
    .command("test-message <key>")
    .description("send a message through a channel, to see whether it arrives")
    .requiredOption("--agent <id>", "the agent")
    .option("--to <conversation>", "where to (default: the newest conversation)")
    .option("--text <text>", "what it says")
    .action((key: string, { agent: agentId, to, text }: { agent: string; to?: string; text?: string }) =>
      perform(
        withClient(async ({ output }, client) => {
          const sent = await client.agentPlugins.testMessage({ agentId, key, to, text });
          output.result(sent, () => `${output.paint.good("✓")} Sent to ${sent.to}.`);
        }),
      ),
    );
}

function describe(traffic: ChannelTraffic, paint: Paint): string {
  if (traffic.count === 0) return "Nothing has gone through it yet.";
  const rows = traffic.conversations.flatMap((one) => [
    [one.conversation, `${one.received} in`, `${one.sent} out`, one.lastInAt ?? one.lastOutAt ?? ""],
    ...(one.lines ?? []).map((line) => [
      paint.dim(`  ${line.direction === "in" ? (line.userId ?? "") : "→"}`),
      "",
      "",
      line.text,
    ]),
  ]);
  return [`${traffic.received} in, ${traffic.sent} out, ${traffic.count} conversations`, table(rows)].join(
    "\n",
  );
}
