import type { ChannelServices } from "../../src/main/runtimes/runtime.ts";

/** The agent of plugins that are no channels: it refuses everything. */
export const noChannel: ChannelServices = {
  prompt: () => Promise.reject(new Error("No channel is under test.")),
  append: () => Promise.reject(new Error("No channel is under test.")),
  followApprovals: () => () => {},
  review: () => Promise.reject(new Error("No channel is under test.")),
};
