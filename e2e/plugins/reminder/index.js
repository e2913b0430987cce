/** Adds a section to the system prompt, and a message to each call of the model. */
export default {
  manifestVersion: 1,
  key: "reminder",
  displayName: "Reminder",
  description: "Reminds the agent of what must not be forgotten.",
  permissions: { network: [], files: "none", subprocess: false },
  hooks: {
    events: ["prompt.assemble@v1", "model.before@v1"],
    async start(_config, ctx) {
      ctx.on("prompt.assemble@v1", (payload) => ({
        ...payload,
        sections: [...payload.sections, { key: "reminder", content: "Never forget the milk." }],
      }));
      ctx.on("model.before@v1", (payload) => ({
        ...payload,
        messages: [...payload.messages, { role: "user", text: "It is Thursday." }],
      }));
      return { stop: async () => {} };
    },
  },
};
