import { implement } from "@orpc/server";
import { type AgentPluginState, contract } from "../../src/contract/index.ts";
import type { Core } from "../core/core.ts";

export interface Served extends AsyncDisposable {
  /** A fresh link that a person opens in a browser: each opens one page. */
  link(): string;
  /** Announces a plugin's row on the core's own event stream. */
  show(row: AgentPluginState): void;
}

/**
 * Serves the screens of a core whose plugins only look as if they ran: the given rows stand in the snapshot, and `show`
 * changes them through the same event stream that the core uses. With five hundred real processes the row would measure
 * the processes and not the screen.
 */
export async function serve(core: Core, rows: readonly AgentPluginState[] = []): Promise<Served> {
  const { AppEvents, openGateway, rendererFolder } = core.entry;
  const events = new AppEvents((error) => {
    throw error;
  });
  const procedures = implement(contract);
  const { router } = core.app;
  const gateway = await openGateway(
    {
      ...core.app,
      router: {
        ...router,
        app: {
          ...router.app,
          events: procedures.app.events.handler(({ input, signal }) => events.follow(input, signal)),
          snapshot: procedures.app.snapshot.handler(async () => ({
            ...(await core.client.app.snapshot()),
            ...(rows.length > 0 && { agentPlugins: [...rows] }),
            epoch: events.epoch,
            seq: events.seq,
          })),
        },
      },
    },
    { rendererDir: rendererFolder() },
  );
  return {
    link: () => gateway.link(),
    show: (row) =>
      events.touch(`${row.agentId}/${row.pluginKey}`, () => ({
        type: "put",
        collection: "agentPlugins",
        item: row,
      })),
    async [Symbol.asyncDispose]() {
      events.close();
      await gateway.close();
    },
  };
}
