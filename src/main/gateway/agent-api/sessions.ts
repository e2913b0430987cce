import { z } from "zod";
import type { Session, SessionEntry } from "../../../contract/index.ts";

const value = z.union([z.string(), z.number(), z.boolean()]);

export const sessionBody = z.looseObject({
  sessionId: z.string().min(1).max(512),
  source: z.looseObject({ type: z.enum(["direct", "group"]).optional() }).optional(),
  metadata: z.record(z.string().max(128), value).optional(),
});

/**
 * The conversations of a channel as its package asks for them: `kind`, `platform`, `channel`, `limit`, `includeInactive`,
 * `metadata.<name>`. Of one conversation only its newest session is listed, which comes first.
 */
export function listed(
  sessions: readonly Session[],
  namespace: string,
  query: URLSearchParams,
  lastIdOf: (conversation: string) => number,
): object[] {
  const wanted = [...query].filter(([name]) => name.startsWith("metadata."));
  const seen = new Set<string>();
  const found = sessions.filter((session) => {
    const { conversation = "" } = session.source;
    if (seen.has(conversation)) return false;
    seen.add(conversation);
    if (session.status === "closed" && query.get("includeInactive") !== "true") return false;
    return wanted.every(([name, text]) => String(session.about?.[name.slice("metadata.".length)]) === text);
  });
  const isOther = (name: string, own: string) => query.has(name) && query.get(name) !== own;
  if (isOther("kind", "channel") || isOther("platform", namespace) || isOther("channel", namespace))
    return [];
  if (isOther("interactive", "true")) return [];
  const limit = Number(query.get("limit") ?? found.length);
  return found
    .slice(0, Number.isSafeInteger(limit) && limit >= 0 ? limit : found.length)
    .map((session) => summaryOf(session, namespace, lastIdOf(session.source.conversation ?? "")));
}

/** What was said in a conversation, in order. */
export function history(entries: readonly SessionEntry[]): object[] {
  return entries.flatMap((entry): object[] => {
    switch (entry.type) {
      case "user":
      case "heard": {
        const { text, at, messageId } = entry;
        return [{ ts: at, role: "user", content: text, ...(messageId !== undefined && { messageId }) }];
      }
      case "assistant":
        return entry.text ? [{ ts: entry.at, role: "assistant", content: entry.text }] : [];
      case "sent":
        return entry.inAgentsName ? [{ ts: entry.at, role: "assistant", content: entry.text }] : [];
      case "turn_end":
        return entry.problem ? [{ ts: entry.at, role: "error", content: entry.problem.message }] : [];
      default:
        return [];
    }
  });
}

function summaryOf(session: Session, namespace: string, lastEventId: number): object {
  const { source, status, about } = session;
  return {
    sessionId: source.conversation ?? session.id,
    source: {
      kind: "channel",
      interactive: true,
      platform: namespace,
      type: source.group ? "group" : "direct",
    },
    createdAt: session.createdAt,
    lastActivityAt: session.updatedAt,
    lastEventId,
    messageCount: session.messages,
    status: status === "closed" ? "inactive" : status,
    ...(about && { metadata: about }),
  };
}
