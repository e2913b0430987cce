import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A tool that returns its text, and one that tells what memory is still in use; and a listener, so that it starts as soon as it is switched on. */
export default {
  manifestVersion: 1,
  key: "bench-echo",
  displayName: "Echo",
  description: "Returns what it is given.",
  tools: {
    namespace: "bench",
    async start() {
      const echo = {
        name: "echo",
        description: "Returns its text.",
        parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        readOnly: true,
        execute: ({ text }) => ({ content: [{ type: "text", text }] }),
      };
      const live = {
        name: "live",
        description: "Throws away what nobody holds any more and says how many bytes are left.",
        parameters: { type: "object" },
        readOnly: true,
        execute: () => {
          setFlagsFromString("--expose-gc");
          const collect = runInNewContext("gc");
          // Objects that a finaliser releases are collected only by the next collection, so it runs three times.
          for (let round = 0; round < 3; round += 1) collect();
          const { heapUsed, external } = process.memoryUsage();
          return String(heapUsed + external);
        },
      };
      return { toolsets: [{ id: "echo", description: "Echo.", tools: [echo, live] }], stop: async () => {} };
    },
  },
  hooks: {
    events: ["session.closed@v1"],
    async start(_config, ctx) {
      ctx.on("session.closed@v1", () => {});
      return { stop: async () => {} };
    },
  },
};
