import { z } from "zod";
import { trafficSchema } from "./turn.ts";

/** One message as the traffic view shows it. */
export const channelLineSchema = z.object({
  direction: z.enum(["in", "out"]),
  /** The platform's id of the person who wrote the message; null for outgoing messages. */
  userId: z.string().nullable(),
  text: z.string(),
  at: z.iso.datetime(),
});
export type ChannelLine = z.infer<typeof channelLineSchema>;

/** Message counts of a channel: in all, and for each of its newest conversations, the newest first. */
export const channelTrafficSchema = trafficSchema.extend({
  conversations: z.array(
    trafficSchema.extend({
      sessionId: z.string(),
      conversation: z.string(),
      group: z.boolean(),
      closed: z.boolean(),
      /** Its newest messages, the oldest first; only when the person asked for text. */
      lines: z.array(channelLineSchema).optional(),
    }),
  ),
  /** Number of all conversations of the channel, also of those not listed here. */
  count: z.number().int(),
});
export type ChannelTraffic = z.infer<typeof channelTrafficSchema>;
