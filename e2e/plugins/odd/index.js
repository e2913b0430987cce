/** Has settings of the rarer kinds, as plugins of other authors bring them. */
export default {
  manifestVersion: 1,
  key: "odd",
  displayName: "Odd forms",
  description: "Has settings of every kind that plugins bring.",
  configSchema: {
    type: "object",
    properties: {
      tools: {
        type: "object",
        required: ["name", "colour", "nickname"],
        properties: {
          name: { type: "string", title: "Name", minLength: 2, maxLength: 20 },
          login: {
            title: "Sign-in",
            description: "How it signs in, if it has to.",
            oneOf: [
              {
                type: "object",
                title: "With a name",
                required: ["kind", "user"],
                properties: {
                  kind: { const: "name" },
                  user: { type: "string", title: "User", minLength: 1 },
                },
              },
              {
                type: "object",
                title: "With a certificate",
                required: ["kind", "file"],
                properties: {
                  kind: { const: "certificate" },
                  file: { type: "string", title: "Certificate", format: "file-path" },
                },
              },
            ],
          },
          colour: {
            title: "Colour",
            oneOf: [
              { const: "red", title: "Red" },
              { const: "green", title: "Green" },
            ],
          },
          slug: { type: "string", title: "Short name", pattern: "^[a-z0-9-]+$" },
          code: { type: "string", title: "Code", pattern: "^[A-Z]{2}-\\d{3}$", examples: ["AB-123"] },
          port: { type: "integer", title: "Port", minimum: 1, maximum: 65_535 },
          step: { type: "number", title: "Step", multipleOf: 0.5 },
          days: {
            type: "array",
            title: "Days",
            uniqueItems: true,
            items: { type: "string", enum: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] },
          },
          nickname: { anyOf: [{ type: "string" }, { type: "null" }], title: "Nickname" },
          mail: { type: "string", title: "Mail", format: "email" },
          home: { type: "string", title: "Home page", format: "uri" },
          birthday: { type: "string", title: "Birthday", format: "date" },
          words: { type: "array", title: "Words", maxItems: 4, items: { type: "string", minLength: 1 } },
          grid: {
            type: "array",
            title: "Grid",
            items: { type: "array", items: { type: "integer" } },
          },
          zone: {
            type: "string",
            title: "Zone",
            enum: Array.from({ length: 40 }, (_, index) => `Zone ${index + 1}`),
          },
          headers: { type: "object", title: "Headers", additionalProperties: { type: "string" } },
          version: { const: 3 },
          anything: { title: "Anything" },
        },
      },
    },
  },
  tools: { namespace: "odd", start: async () => ({ toolsets: [], stop: async () => {} }) },
};
