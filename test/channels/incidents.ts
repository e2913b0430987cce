import type { ChannelWorld } from "./world.ts";

export interface Incident {
  /** Which of sixty minutes it belongs to. */
  minute: number;
  name: "cut" | "kill of the plugin" | "kill of the app" | "restart of the app" | "restart of the server";
  happen(): Promise<void>;
}

/** What befalls a channel in an hour. */
export function incidentsOf(world: ChannelWorld): Incident[] {
  const { platform } = world;
  const cut = (minute: number): Incident => ({ minute, name: "cut", happen: () => platform.cut() });
  const killHost = (minute: number): Incident => ({
    minute,
    name: "kill of the plugin",
    happen: () => world.killHost(),
  });
  return [
    cut(5),
    killHost(11),
    cut(18),
    {
      minute: 24,
      name: "kill of the app",
      happen: async () => {
        await world.killApp();
        await world.startApp();
      },
    },
    // The server begins anew, and its people with it.
    { minute: 31, name: "restart of the server", happen: () => platform.restart() },
    {
      minute: 38,
      name: "restart of the app",
      happen: async () => {
        await world.stopApp();
        await world.startApp();
      },
    },
    killHost(44),
    cut(50),
    cut(55),
  ];
}
