import type { PluginReports } from "../ports.ts";
import type { Recording } from "../record/recording.ts";
import { EventBus } from "./event-bus.ts";

type BusOptions = ConstructorParameters<typeof EventBus>[0];

/** The buses of the agents, each made at its first use. */
export class Buses {
  private readonly options: Pick<BusOptions, "pool" | "keeper" | "clock" | "pauses"> & {
    agentPlugins: PluginReports;
    recording: Pick<Recording, "outside">;
  };
  private readonly buses = new Map<string, EventBus>();

  constructor(options: Buses["options"]) {
    this.options = options;
  }

  of(agentId: string): EventBus {
    let bus = this.buses.get(agentId);
    if (!bus) {
      const { pool, keeper, clock, pauses, agentPlugins, recording } = this.options;
      bus = new EventBus({
        agentId,
        pool,
        keeper,
        clock,
        ...(pauses && { pauses }),
        onFailure: (pluginKey, problem, ownDoing) => {
          if (ownDoing) agentPlugins.report(agentId, pluginKey, { lastError: problem });
        },
        outside: (sessionId) => recording.outside({ agentId, sessionId }),
      });
      this.buses.set(agentId, bus);
    }
    return bus;
  }

  forget(agentId: string): void {
    this.buses.delete(agentId);
  }
}
