/** A veto hook that looks at the arguments and allows. */
export default {
  manifestVersion: 1,
  key: "bench-veto",
  displayName: "Veto",
  description: "Allows every call.",
  hooks: {
    events: ["tool.before@v1"],
    async start(_config, ctx) {
      ctx.on("tool.before@v1", ({ args }) =>
        args.text === "forbidden" ? { allow: false, reason: "the text is forbidden" } : { allow: true },
      );
      return { stop: async () => {} };
    },
  },
};
