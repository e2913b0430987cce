import { describe } from "vitest";

/**
 * The same specs on several servers: one after another on each, and the servers beside each other, because most of the time
 * is spent waiting for them.
 */
export function sideBySide<Server extends string>(
  name: string,
  servers: readonly Server[],
  specs: (server: Server) => void,
): void {
  for (const server of servers) {
    describe(`on ${server}`, { concurrent: true }, () => {
      describe(name, { concurrent: false }, () => specs(server));
    });
  }
}
