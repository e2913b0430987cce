import type {
  Approval,
  CollectionRecord,
  collections,
  Dialog,
  ItemOf,
  Job,
  RemovedThing,
  SetupView,
} from "../../contract/index.ts";
import type { AgentPlugins, AgentStore, PluginRegistry } from "../registry/index.ts";
import type { Notices } from "./notices.ts";
import type { Views } from "./views.ts";

/** Where the items of one collection are read. */
export interface Entity<T> {
  list(): T[];
  /** The item of this key now; undefined when there is none. */
  get(...key: string[]): T | undefined;
}
export type Entities<C extends CollectionRecord> = { [N in keyof C]: Entity<ItemOf<C, N>> };
export type AppEntities = Entities<typeof collections>;

export interface EntitySources {
  views: Pick<Views, "agent" | "plugin" | "agentPluginState">;
  registry: Pick<PluginRegistry, "get" | "list">;
  agents: Pick<AgentStore, "get" | "list">;
  agentPlugins: Pick<AgentPlugins, "get" | "list">;
  notices: Pick<Notices, "list">;
  jobs: { list(): Job[]; get(id: string): Job };
  work: { approvals: { list(): Approval[] }; dialogs: { list(): Dialog[] } };
  setups: { list(): SetupView[]; get(agentId: string, key: string): SetupView | null };
  removed: { list(): RemovedThing[]; get(id: string): RemovedThing | undefined };
}

/** Where the core reads what it announces; one entry for each of `contract/collections.ts`. */
export function entitiesOf(sources: EntitySources): AppEntities {
  const { views, registry, agents, agentPlugins, jobs, work, setups } = sources;
  const pending = () => sources.notices.list().filter((notice) => !notice.dismissed);
  return {
    agents: {
      list: () => agents.list().map((agent) => views.agent(agent)),
      get: (id = "") => found(agents.get(id), (agent) => views.agent(agent)),
    },
    plugins: {
      list: () => registry.list().map((plugin) => views.plugin(plugin)),
      get: (key = "") => found(registry.get(key), (plugin) => views.plugin(plugin)),
    },
    agentPlugins: {
      list: () =>
        agents
          .list()
          .flatMap(({ id }) => agentPlugins.list(id).map((row) => views.agentPluginState(id, row))),
      get: (agentId = "", key = "") =>
        agents.get(agentId) &&
        found(agentPlugins.get(agentId, key), (row) => views.agentPluginState(agentId, row)),
    },
    jobs: byId(() => jobs.list()),
    approvals: byId(() => work.approvals.list()),
    dialogs: byId(() => work.dialogs.list()),
    notices: byId(pending),
    setups: {
      list: () => setups.list(),
      get: (agentId = "", key = "") => setups.get(agentId, key) ?? undefined,
    },
    // There may be thousands: a snapshot starts without them, a screen asks for those of the agent that it shows, and each
    // that changes is announced whole, with `Announcer.put`.
    sessions: announcedOnly,
    removed: { list: () => sources.removed.list(), get: (id = "") => sources.removed.get(id) },
  };
}

const announcedOnly = { list: () => [], get: () => undefined };

function byId<T extends { id: string }>(list: () => T[]): Entity<T> {
  return { list, get: (id) => list().find((item) => item.id === id) };
}

function found<A, B>(item: A | undefined, view: (item: A) => B): B | undefined {
  return item === undefined ? undefined : view(item);
}

/** Everything there is now, for a snapshot. */
export function listAll<C extends CollectionRecord>(
  entities: Entities<C>,
): { [N in keyof C]: ItemOf<C, N>[] } {
  const lists = Object.entries(entities).map(([name, entity]) => [name, entity.list()]);
  return Object.fromEntries(lists) as { [N in keyof C]: ItemOf<C, N>[] };
}
