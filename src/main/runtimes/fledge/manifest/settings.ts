import type { PluginWords } from "../../../../contract/index.ts";

/** The settings of every fledge plugin. They are Patchbay's own, because fledge has no settings for plugins. */
export const settingsSchema = {
  type: "object",
  properties: {
    env: {
      type: "object",
      title: "Environment variables",
      description: "Given to its programs besides PATH, HOME and the language. Refer to secrets as ${NAME}.",
      additionalProperties: { type: "string" },
    },
    prompts: {
      type: "string",
      title: "Its questions",
      description: "ask: you are asked. defaults: each gets its default answer. fail: the call fails.",
      enum: ["ask", "defaults", "fail"],
      default: "ask",
    },
  },
  additionalProperties: false,
};

/** The same in the other languages of the screens. */
export const settingsWords: PluginWords = {
  de: {
    "Environment variables": "Umgebungsvariablen",
    "Given to its programs besides PATH, HOME and the language. Refer to secrets as ${NAME}.":
      "Bekommen seine Programme außer PATH, HOME und der Sprache. Auf Geheimnisse verweisen Sie mit ${NAME}.",
    "Its questions": "Seine Fragen",
    "ask: you are asked. defaults: each gets its default answer. fail: the call fails.":
      "ask: Sie werden gefragt. defaults: Jede bekommt ihre vorgegebene Antwort. fail: Der Aufruf scheitert.",
  },
};
