import type { ChannelAgent, ChannelAttachment, ChannelMessage, ChannelPeople } from "@patchbay/plugin-sdk";
import type { Requests } from "../../../hosted/node/requests.ts";
import type { FollowedApprovals } from "./followed-approvals.ts";
import type { FollowedNews } from "./followed-news.ts";

/** What the app tells a channel, for as long as the channel runs. */
export interface Followed {
  approvals: FollowedApprovals;
  people: FollowedNews<ChannelPeople>;
  language: FollowedNews<string>;
}

/** The typed client of a channel: each of its methods is a question to the app. */
export function createChannelAgent(
  requests: Requests,
  { approvals, people, language }: Followed,
  stopped: AbortSignal,
): ChannelAgent {
  let following = false;
  let followingPeople = false;
  let followingLanguage = false;
  const withStop = (signal: AbortSignal | undefined) =>
    signal ? AbortSignal.any([signal, stopped]) : stopped;
  return {
    prompt: ({ onDelta, signal, ...message }) =>
      requests.send(
        { kind: "prompt", message: messageOf(message), deltas: onDelta !== undefined },
        { onDelta, signal: withStop(signal) },
      ) as ReturnType<ChannelAgent["prompt"]>,
    append: (message) =>
      requests.send({ kind: "append", message: messageOf(message) }, { signal: stopped }) as Promise<{
        sessionId: string;
      }>,
    end: (conversation) =>
      requests.send(
        { kind: "end", conversation: String(conversation) },
        { signal: stopped },
      ) as Promise<void>,
    followLanguage: (listener) => {
      if (!followingLanguage) {
        followingLanguage = true;
        requests.send({ kind: "language.follow" }, { signal: stopped }).catch(() => {
          followingLanguage = false;
        });
      }
      return language.add(listener);
    },
    followPeople: (listener) => {
      if (!followingPeople) {
        followingPeople = true;
        requests.send({ kind: "people.follow" }, { signal: stopped }).catch(() => {
          followingPeople = false;
        });
      }
      return people.add(listener);
    },
    introduce: ({ userId, userName, conversation }) =>
      requests.send(
        {
          kind: "introduce",
          userId: String(userId),
          ...(userName !== undefined && { userName: String(userName) }),
          conversation: String(conversation),
        },
        { signal: stopped },
      ) as ReturnType<NonNullable<ChannelAgent["introduce"]>>,
    pair: ({ code, userId }) =>
      requests.send(
        { kind: "pair", code: String(code), userId: String(userId) },
        { signal: stopped },
      ) as ReturnType<NonNullable<ChannelAgent["pair"]>>,
    followApprovals: (listener, { characters } = {}) => {
      if (!following) {
        following = true;
        const follow = {
          kind: "approvals.follow" as const,
          ...(characters !== undefined && { characters: Math.max(0, Math.floor(Number(characters))) }),
        };
        requests.send(follow, { signal: stopped }).catch(() => {
          following = false;
        });
      }
      return approvals.add(listener);
    },
    review: ({ request, decision, userId, role }) =>
      requests.send(
        {
          kind: "review",
          request: String(request),
          decision: decision === "allow" ? "allow" : "refuse",
          userId: String(userId),
          ...(role !== undefined && { role: String(role) }),
        },
        { signal: stopped },
      ) as ReturnType<NonNullable<ChannelAgent["review"]>>,
  };
}

/**
 * The known fields of a message as plain data. Plugins may pass an object of their platform's library, with fields that
 * cannot be sent.
 */
function messageOf(message: ChannelMessage): ChannelMessage {
  const { conversation, userId, userName, role, text, messageId, attachments, group, room, spoken } = message;
  return {
    conversation: String(conversation),
    userId: String(userId),
    ...(userName !== undefined && { userName: String(userName) }),
    ...(role !== undefined && { role: String(role) }),
    text: String(text ?? ""),
    ...(messageId !== undefined && { messageId: String(messageId) }),
    ...(attachments !== undefined && { attachments: attachments.map(attachmentOf) }),
    ...(group !== undefined && { group: Boolean(group) }),
    ...(room !== undefined && { room: String(room) }),
    ...(spoken !== undefined && { spoken: Boolean(spoken) }),
  };
}

function attachmentOf({ name, mimeType, data, voice }: ChannelAttachment): ChannelAttachment {
  const seconds = Number(voice?.seconds);
  return {
    name: String(name),
    mimeType: String(mimeType),
    data: String(data),
    ...(voice && { voice: seconds >= 0 && Number.isFinite(seconds) ? { seconds } : {} }),
  };
}
