import { implement } from "@orpc/server";
import { type AgentPluginState, contract, gatewayLink } from "../../src/contract/index.ts";
import type { Core } from "../core/core.ts";

export interface Served extends AsyncDisposable {
  /** The link that a person opens in a browser. */
  link: string;
  /** Says that a plugin's row is now this, on the core's own event stream. */
  show(row: AgentPluginState): void;
}

/**
 * Serves the screens of a core whose plugins all look as if they ran: their rows are replaced on the way out and change
 * by `show`, through the event stream that the core itself uses. Five hundred processes would measure something else.
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
    link: gatewayLink(gateway),
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
