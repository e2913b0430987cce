import { afterEach } from "vitest";
import irc from "../../../plugins/irc/src/index.ts";
import { InProcess, type InProcessOptions } from "../in-process.ts";
import { type IrcScript, ScriptedIrc } from "./scripted-irc.ts";

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

/** The plugin in this process, on a server that follows a script. Both end with the test. */
export async function botOnScript(
  script: IrcScript = {},
  settings: Record<string, unknown> = {},
  more: InProcessOptions = {},
) {
  const server = await ScriptedIrc.open(script);
  closing.push(server);
  const { channel } = irc.parseConfig({
    channel: {
      server: "127.0.0.1",
      port: server.port,
      encrypted: false,
      nick: "ada",
      owners: ["olga"],
      joinSeconds: 0,
      timeScale: 500,
      ...settings,
    },
  });
  const bot = await InProcess.start((ctx) => irc.channel.start(channel, ctx), more);
  closing.push(bot);
  return { server, bot };
}
