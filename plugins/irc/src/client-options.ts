import type { ClientOptions } from "irc-framework";
import type { IrcChannel } from "./settings.ts";

/** How irc-framework is to connect for these settings. */
export function clientOptions(settings: IrcChannel): ClientOptions {
  const { server, port, encrypted, nick, account, password, serverPassword, signIn, fingerprint } = settings;
  const sasl = signIn === "sasl" && account !== "";
  return {
    host: server,
    port,
    tls: encrypted,
    // With a fingerprint, the certificate is compared with that, before anything is said.
    rejectUnauthorized: fingerprint === "",
    nick,
    username: nick.replace(/[^A-Za-z0-9]/g, "").slice(0, 9) || "agent",
    gecos: "Patchbay agent",
    ...(serverPassword !== "" && { password: serverPassword }),
    account: sasl ? { account, password } : {},
    sasl_disconnect_on_fail: true,
    auto_reconnect: false,
    ping_interval: 30,
    ping_timeout: 120,
    version: "Patchbay",
  };
}
