/** Fails wherever it can: in its hook on results, and in its tool. */
export default {
  manifestVersion: 1,
  key: "brittle",
  displayName: "Brittle",
  description: "Counts the lines of results, and weighs letters.",
  permissions: { network: [], files: "none", subprocess: false },
  hooks: {
    events: ["tool.result@v1"],
    async start(_config, ctx) {
      ctx.on("tool.result@v1", (payload) => countLines(payload));
      return { stop: async () => {} };
    },
  },
  tools: {
    namespace: "brittle",
    async start() {
      const tools = [
        {
          name: "weigh",
          description: "Weighs a letter.",
          readOnly: true,
          parameters: { type: "object", properties: { letter: { type: "string" } } },
          execute: async ({ letter }) => weightOf(letter),
        },
      ];
      return { toolsets: [{ id: "brittle", description: "Weighs.", tools }], stop: async () => {} };
    },
  },
};

function countLines(payload) {
  const { lines } = payload.summary;
  return { ...payload, lines };
}

function weightOf(letter) {
  const scales = { small: 20 };
  return `${scales[letter].toFixed(1)} g`;
}
