import { randomUUID } from "node:crypto";
import { type ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { xml } from "@xmpp/client";
import { NS } from "../namespaces.ts";
import type { XmppChannel } from "../settings.ts";
import { XmppSession } from "./session.ts";

/** How long the other session may take to answer, in milliseconds. */
const ANSWER_MS = 3_000;
/** How long a server may take to show a session that has just begun, in milliseconds. */
const SHOWN_MS = 2_000;

/** @throws ChannelFailure `offline` while another program has a session under this name, so that the two do not fight */
export async function checkRival(
  settings: XmppChannel,
  resource: string,
  clock: ChannelClock,
  signal: AbortSignal,
): Promise<void> {
  const name = `${settings.jid}/${resource}`.toLowerCase();
  let isThere = false;
  await shown(clock, signal);
  const look = new XmppSession({ ...settings, rooms: [] }, `look-${randomUUID()}`, clock, null, {
    message: async () => {},
    presence: ({ attrs }) => {
      if (attrs.from?.toLowerCase() === name) isThere = attrs.type === undefined;
    },
    lost() {},
    degraded() {},
    trouble() {},
  });
  try {
    await look.open(signal, false);
    // With a priority below zero it is given no messages; the server tells it of the account's other sessions.
    look.hint(xml("presence", {}, xml("priority", {}, "-1")));
    // That may come later than what the server answers itself, so the other session is asked as well.
    const ping = xml(
      "iq",
      { type: "get", to: `${settings.jid}/${resource}` },
      xml("ping", { xmlns: NS.ping }),
    );
    const answers = await look.request(ping, ANSWER_MS).then(
      () => true,
      () => false,
    );
    await look.roundTrip();
    isThere ||= answers;
  } finally {
    await look.close();
  }
  if (!isThere) return;
  const why = "another program has signed in with the same account and name; this one waits until it is gone";
  throw new ChannelFailure("offline", why);
}

/** It has thrown this session out before others can see it. */
function shown(clock: ChannelClock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.limit(SHOWN_MS, resolve);
    const stop = () => {
      callOff();
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
