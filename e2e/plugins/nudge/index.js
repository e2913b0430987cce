/** Changes calls and messages a little, and writes into its log what it did. */
export default {
  manifestVersion: 1,
  key: "nudge",
  displayName: "Nudge",
  description: "Keeps builds small and messages polite.",
  permissions: { network: [], files: "none", subprocess: false },
  hooks: {
    events: ["tool.before@v1", "tool.result@v1", "tool.after@v1", "session.message.received@v1"],
    async start(_config, ctx) {
      ctx.on(
        "tool.before@v1",
        ({ args }) => {
          if (typeof args.jobs !== "number" || args.jobs === 1) return { allow: true };
          ctx.logger(`jobs ${args.jobs} became 1`);
          return { allow: true, payload: { args: { ...args, jobs: 1 } } };
        },
        { priority: 20, timeoutMs: 1_500 },
      );
      ctx.on("tool.result@v1", ({ content }) => ({
        content: content.map((part) =>
          part.type === "text" ? { ...part, text: part.text.replace("Built", "Carefully built") } : part,
        ),
      }));
      ctx.on("tool.after@v1", ({ toolName, outcome }) => ctx.logger(`${toolName}: ${outcome}`));
      ctx.on(
        "session.message.received@v1",
        ({ text }) => {
          if (text.includes("explode")) throw new Error("I do not like that word");
          return { text: `${text}, please` };
        },
        { failureMode: "fail" },
      );
      return { stop: async () => {} };
    },
  },
};
