import { ChannelFailure, type ChannelPort } from "@patchbay/plugin-sdk/channel";
import { type Client, Events } from "discord.js";
import { closeFailure, discordFailure } from "./errors.ts";

export interface SessionParts {
  port: ChannelPort;
  signal: AbortSignal;
}

/**
 * Logs in and resolves when Discord says that the bot is ready. From then on the library mends the connection by itself,
 * and its own word for how it is goes wrong after an end for good, so that the port is told by events.
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
  // Without listeners these would end the process; what they mean comes through the events above.
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
