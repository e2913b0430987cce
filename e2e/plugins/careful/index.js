/** Narrows what a shell command may touch, asks on request, and adds a command. */
export default {
  manifestVersion: 1,
  key: "careful",
  displayName: "Careful",
  description: "Narrows destructive shell commands to the build folder.",
  permissions: { network: [], files: "none", subprocess: false },
  hooks: {
    events: ["tool.before@v1"],
    async start(_config, ctx) {
      ctx.on("tool.before@v1", (payload) => {
        const { toolName, args } = payload;
        if (toolName !== "shell" || typeof args.command !== "string") return { allow: true };
        if (args.command.includes("forbidden"))
          return { allow: false, reason: "That word is not allowed here." };
        const command = args.command.replace("rm -rf build", "rm -r build/old");
        return { allow: true, payload: { ...payload, args: { ...args, command } } };
      });
      return { stop: async () => {} };
    },
  },
  commands: {
    async start(_config, ctx) {
      return {
        commands: [
          {
            name: "careful",
            description: "Asks whether to be careful",
            argsHint: "[how]",
            async run() {
              const answer = await ctx.ask.select("How careful should I be?", {
                options: [
                  { value: "very", label: "Very careful" },
                  { value: "somewhat", label: "Somewhat careful" },
                ],
              });
              return `You chose: ${answer ?? "nothing"}`;
            },
          },
        ],
        stop: async () => {},
      };
    },
  },
};
