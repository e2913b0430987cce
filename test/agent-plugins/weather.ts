/** The code of a plugin with one secret and one setting, which reports both at each start. */
export const weather = `export default {
  manifestVersion: 1, key: "weather", displayName: "Weather", description: "Knows it.",
  secretKeys: [{ key: "token", label: "Token" }],
  configSchema: { type: "object", properties: { tools: { type: "object", properties: {
    city: { type: "string" }, token: { type: "string" } } } } },
  tools: {
    namespace: "weather",
    start: async (config, ctx) => {
      ctx.logger("for " + config.city + " with " + config.token);
      return { toolsets: [], stop: async () => {} };
    },
  },
};`;
