/** Needs a secret, has settings of most kinds, and refuses one of their values. */
export default {
  manifestVersion: 1,
  key: "weather",
  displayName: "Weather",
  description: "Tells the weather of the places you name.",
  configSchema: {
    type: "object",
    properties: {
      tools: {
        type: "object",
        required: ["units"],
        properties: {
          home: {
            type: "string",
            title: "Home",
            description: "The place that is meant when none is named.",
            "x-patchbay": { placeholder: "Bern" },
          },
          units: {
            type: "string",
            title: "Units",
            oneOf: [
              { const: "metric", title: "Celsius, km/h" },
              { const: "imperial", title: "Fahrenheit, mph" },
            ],
            default: "metric",
          },
          days: {
            type: "integer",
            title: "Days ahead",
            minimum: 1,
            maximum: 10,
            default: 3,
            description: "How far a forecast looks.",
          },
          warnings: {
            type: "boolean",
            title: "Storm warnings",
            description: "Adds official warnings.",
            default: true,
          },
          places: {
            type: "array",
            title: "Favourite places",
            items: { type: "string", minLength: 1 },
            default: ["Bern", "Lisbon"],
          },
        },
      },
    },
  },
  secretKeys: [
    {
      key: "apiKey",
      label: "API key",
      help: "From your account at the weather service.",
      url: "https://example.com/keys",
    },
  ],
  permissions: { network: ["api.example.com"], files: "none", subprocess: false },
  parseConfig(config) {
    if (config.tools?.home === "Atlantis") {
      const error = new Error("Atlantis has no weather station");
      error.issues = [{ path: ["tools", "home"], message: "Atlantis has no weather station" }];
      throw error;
    }
    return config;
  },
  tools: {
    namespace: "weather",
    async start(config, ctx) {
      let asked = 0;
      return {
        toolsets: [
          {
            id: "weather",
            description: "Weather of named places.",
            tools: [
              {
                name: "forecast",
                label: "Forecast",
                description: "Tells the weather of a place for the coming days.",
                readOnly: true,
                parameters: {
                  type: "object",
                  properties: { place: { type: "string" }, days: { type: "integer" } },
                  required: ["place"],
                },
                async execute({ place, days }) {
                  asked += 1;
                  ctx.logger(`forecast for ${place}`);
                  ctx.reportRuntimeState({ forecasts: asked, lastPlace: place });
                  return `${place}: sunny for ${days ?? config.days ?? 3} days, 21 °C (key of ${ctx.secrets.get(ctx.secrets.names()[0])?.length ?? 0} letters)`;
                },
              },
            ],
          },
        ],
        stop: async () => {},
      };
    },
  },
};
