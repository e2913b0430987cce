import { ChannelFailure, type ChannelPort } from "@patchbay/plugin-sdk/channel";
import { type Client, Events } from "discord.js";
import { closeFailure, discordFailure } from "./errors.ts";

export interface SessionParts {
  port: ChannelPort;
  signal: AbortSignal;
}

/**
 * Logs in and resolves when Discord says that the bot is ready. From then on the library reconnects by itself. The port
 * learns of changes from its events and not from the library's own status, which is wrong after the connection was
 * ended for good.
 *
 * @throws whatever the library throws, or a ChannelFailure
 */
export async function logIn(client: Client, token: string, parts: SessionParts): Promise<void> {
  const { port, signal } = parts;
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  const end = (failure: ChannelFailure) => {
    if (isReady) port.lost(failure);
    else ready.reject(failure);
  };
  client.once(Events.ClientReady, () => ready.resolve());
  client.on(Events.ShardDisconnect, ({ code }) => end(closeFailure(code)));
  client.on(Events.Invalidated, () => end(closeFailure(4004)));
  client.on(Events.ShardReconnecting, () => {
    if (isReady) port.degraded("The connection to Discord was lost.");
  });
  client.on(Events.ShardResume, () => port.degraded(null));
  client.on(Events.ShardReady, () => {
    if (isReady) port.degraded(null);
  });
  // Without a listener for `error` events, Node would end the process. The events above tell what happened.
  client.on(Events.ShardError, () => {});
  client.on(Events.Error, () => {});
  const stop = () => end(new ChannelFailure("offline", "The channel stops."));
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([client.login(token).then(() => ready.promise), ready.promise]);
    isReady = true;
  } catch (error) {
    throw discordFailure(error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
