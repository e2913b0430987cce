import type { ChannelLine, ChannelTraffic, Session, SessionEntry, Traffic } from "../../../contract/index.ts";

/** Messages of a conversation that are shown with their text. */
const SHOWN_LINES = 20;

/** What went through a channel; `entriesOf` reads a conversation when its text is asked for. */
export async function trafficOf(
  sessions: readonly Session[],
  limit: number,
  entriesOf: ((sessionId: string) => Promise<readonly SessionEntry[]>) | null,
): Promise<ChannelTraffic> {
  const all = sessions.map((session) => ({ session, traffic: session.traffic ?? none }));
  const newest = all.slice(0, limit).map(async ({ session, traffic }) => ({
    sessionId: session.id,
    conversation: session.source.conversation ?? session.id,
    group: session.source.group ?? false,
    closed: session.status === "closed",
    ...traffic,
    ...(entriesOf && { lines: linesOf(await entriesOf(session.id)) }),
  }));
  return {
    received: all.reduce((sum, { traffic }) => sum + traffic.received, 0),
    sent: all.reduce((sum, { traffic }) => sum + traffic.sent, 0),
    lastInAt: latest(all.map(({ traffic }) => traffic.lastInAt)),
    lastOutAt: latest(all.map(({ traffic }) => traffic.lastOutAt)),
    conversations: await Promise.all(newest),
    count: all.length,
  };
}

function linesOf(entries: readonly SessionEntry[]): ChannelLine[] {
  return entries
    .flatMap((entry): ChannelLine[] => {
      const { type } = entry;
      if (type === "user" || type === "heard") {
        const userId = entry.caller.kind === "channel" ? entry.caller.userId : null;
        return [{ direction: "in", userId, text: entry.text, at: entry.at }];
      }
      const isOut = type === "sent" || (type === "answer" && !entry.silent);
      return isOut ? [{ direction: "out", userId: null, text: entry.text, at: entry.at }] : [];
    })
    .slice(-SHOWN_LINES);
}

function latest(times: readonly (string | null)[]): string | null {
  return times.reduce((last, time) => (last === null || (time !== null && time > last) ? time : last), null);
}

const none: Traffic = { received: 0, sent: 0, lastInAt: null, lastOutAt: null };
