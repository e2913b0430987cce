/** One tool that returns its text; and a listener, so that it starts as soon as it is switched on. */
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
      return { toolsets: [{ id: "echo", description: "Echo.", tools: [echo] }], stop: async () => {} };
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
