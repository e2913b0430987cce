import { resolve } from "node:path";
import type { Command } from "commander";
import { foundByFlowly } from "../../main/runtimes/flowly/found.ts";
import { type Perform, withClient } from "../command.ts";
import { type Agreed, agreeing } from "./take.ts";
import { takeFound } from "./take-found.ts";

interface FlowlyOptions extends Agreed {
  from?: string;
  agent?: string;
  bundled?: boolean;
}

/** `patchbay import flowly`. */
export function addFlowlyImport(parent: Command, perform: Perform): void {
  const command = parent
    .command("flowly")
    .description(
      "read the plugins and settings of a Flowly installation and install what is switched on there",
    )
    .option("--from <dir>", "Flowly's folder (default: $FLOWLY_HOME, or ~/.flowly)")
    .option("--agent <id>", "switch the installed plugins on for this agent, too")
    .option("--bundled", "also those that come with Flowly itself")
    .action((options: FlowlyOptions) =>
      perform(
        withClient(async (context, client) => {
          const { from, bundled = false } = options;
          const env = { ...context.env, ...(from && { FLOWLY_HOME: resolve(context.cwd, from) }) };
          return takeFound(context, client, {
            runtime: "flowly",
            system: "Flowly",
            found: await foundByFlowly(env, context.cwd),
            options,
            // A replaced one, and one that Flowly cannot load, are not what the person uses there.
            isTaken: ({ status, place }) => status === "enabled" && (bundled || place !== "bundled"),
            left: {
              enabled: "comes with Flowly; take it with --bundled",
              disabled: "switched off in Flowly, not installed",
              available: "not switched on in Flowly, not installed",
              error: "broken, not installed",
              unsupported: "of a kind that neither Flowly nor Patchbay loads",
              overridden: "replaced by another in Flowly, not installed",
            },
          });
        }),
      ),
    );
  for (const [flag, words] of agreeing) command.option(flag, words);
}
