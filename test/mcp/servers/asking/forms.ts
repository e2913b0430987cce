/** What the asking servers of both eras ask for. */
export const booking = {
  message: "Which trip?",
  requestedSchema: {
    type: "object" as const,
    properties: {
      name: { type: "string" as const, title: "Your name", minLength: 2, maxLength: 40 },
      mail: { type: "string" as const, title: "E-mail", format: "email" as const },
      day: { type: "string" as const, title: "Day", format: "date" as const },
      seats: { type: "integer" as const, title: "Seats", minimum: 1, maximum: 4, default: 2 },
      window: { type: "boolean" as const, title: "At the window", default: true },
      class: {
        type: "string" as const,
        title: "Class",
        oneOf: [
          { const: "1", title: "First" },
          { const: "2", title: "Second" },
        ],
        default: "2",
      },
      extras: {
        type: "array" as const,
        title: "Extras",
        minItems: 1,
        items: {
          anyOf: [
            { const: "tea", title: "Tea" },
            { const: "rug", title: "A rug" },
          ],
        },
      },
    },
    required: ["name", "mail", "extras"],
  },
};

export const keyAsked = {
  message: "Nearly there.",
  requestedSchema: {
    type: "object" as const,
    properties: { apiKey: { type: "string" as const, title: "Your API key" } },
    required: ["apiKey"],
  },
};

export const sure = {
  message: "Are you sure?",
  requestedSchema: { type: "object" as const, properties: {} },
};

export const said = (value: unknown) => ({
  content: [{ type: "text" as const, text: typeof value === "string" ? value : JSON.stringify(value) }],
});

/** What a server wants of a model. `params`: others in their place. */
export const wishOf = (params: Record<string, unknown> = {}) => ({
  systemPrompt: "You are a poet.",
  messages: [{ role: "user" as const, content: { type: "text" as const, text: "A poem, please." } }],
  maxTokens: 100_000,
  modelPreferences: { hints: [{ name: "the-dearest" }] },
  includeContext: "allServers" as const,
  ...params,
});
