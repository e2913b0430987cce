import type { ChannelServices } from "../../src/main/runtimes/channel-door.ts";

/** The channel services for tests without a channel: each call is refused. */
export const noChannel: ChannelServices = {
  prompt: () => Promise.reject(new Error("No channel is under test.")),
  append: () => Promise.reject(new Error("No channel is under test.")),
  end: async () => {},
  followLanguage: () => () => {},
  followPeople: () => () => {},
  introduce: async () => ({ say: null, waits: false }),
  pair: () => Promise.reject(new Error("No channel is under test.")),
  followApprovals: () => () => {},
  review: () => Promise.reject(new Error("No channel is under test.")),
};
