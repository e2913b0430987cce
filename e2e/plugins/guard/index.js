/** Blocks pushes with force. */
export default {
  manifestVersion: 1,
  key: "guard",
  displayName: "Guard",
  description: "Blocks what cannot be undone.",
  permissions: { network: [], files: "none", subprocess: false },
  hooks: {
    events: ["tool.before@v1"],
    async start(_config, ctx) {
      ctx.on("tool.before@v1", ({ args }) => {
        if (typeof args.command === "string" && args.command.includes("--force")) {
          ctx.logger("blocked a push with force");
          return { allow: false, reason: "Nobody pushes with force here." };
        }
        return { allow: true };
      });
      return { stop: async () => {} };
    },
  },
};
