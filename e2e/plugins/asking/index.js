/** Asks before a folder is removed. */
export default {
  manifestVersion: 1,
  key: "asking",
  displayName: "Asking",
  description: "Asks before a folder is removed.",
  permissions: { network: [], files: "none", subprocess: false },
  hooks: {
    events: ["tool.before@v1"],
    async start(_config, ctx) {
      ctx.on("tool.before@v1", async (payload) => {
        const { command } = payload.args;
        if (typeof command !== "string" || !command.startsWith("rm -rf")) return { allow: true };
        const answer = await ctx.ask.select(`Run ${command}?`, {
          options: [
            { value: "all", label: "All of it" },
            { value: "old", label: "Only build/old" },
          ],
        });
        if (answer === null) return { allow: false, reason: "Nobody answered." };
        const args = { ...payload.args, command: answer === "old" ? "echo rm -r build/old" : command };
        return { allow: true, payload: { ...payload, args } };
      });
      return { stop: async () => {} };
    },
  },
};
