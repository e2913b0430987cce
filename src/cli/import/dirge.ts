import { resolve } from "node:path";
import type { Command } from "commander";
import { dirgeLists } from "../../main/runtimes/dirge/discovery/lists.ts";
import { dirgePlaces } from "../../main/runtimes/dirge/discovery/places.ts";
import { foundByDirge } from "../../main/runtimes/dirge/found.ts";
import { type Perform, withClient } from "../command.ts";
import { type Agreed, agreeing } from "./take.ts";
import { takeFound } from "./take-found.ts";

interface DirgeOptions extends Agreed {
  from?: string;
  project?: string;
  agent?: string;
}

/** `patchbay import dirge`. */
export function addDirgeImport(parent: Command, perform: Perform): void {
  const command = parent
    .command("dirge")
    .description("read the plugins and settings of dirge and install what is switched on there")
    .option("--from <dir>", "dirge's folder (default: $DIRGE_CONFIG_DIR, or ~/.config/dirge)")
    .option("--project <dir>", "the project whose plugins count, too (default: that of the current folder)")
    .option("--agent <id>", "switch the installed plugins on for this agent, too")
    .action((options: DirgeOptions) =>
      perform(
        withClient(async (context, client) => {
          const { from, project } = options;
          const env = {
            ...context.env,
            ...(from && { DIRGE_CONFIG_DIR: resolve(context.cwd, from) }),
            ...(project && { DIRGE_PROJECT_ROOT: resolve(context.cwd, project) }),
          };
          const { home } = await dirgePlaces(env, context.cwd);
          const settings = await dirgeLists(home);
          return takeFound(context, client, {
            runtime: "dirge",
            system: "dirge",
            found: await foundByDirge(env, context.cwd),
            options,
            isTaken: ({ status }) => status === "enabled",
            settingsOf: ({ key }) => (settings.of(key).autoStart ? { autoStart: true } : undefined),
            left: {
              enabled: "not installed",
              disabled: "switched off in dirge, not installed",
              available: "not switched on in dirge, not installed",
              error: "broken, not installed",
              unsupported: "of a kind that neither dirge nor Patchbay loads",
              overridden: "replaced by the project's own of that name, not installed",
            },
          });
        }),
      ),
    );
  for (const [flag, words] of agreeing) command.option(flag, words);
}
