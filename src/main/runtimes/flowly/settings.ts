import { z } from "zod";
import type { PluginWords } from "../../../contract/index.ts";
import { mayBeSet, type Variable, variablesSchema } from "../hosted/foreign/variables.ts";

/** The settings of a Flowly plugin. They are Patchbay's own, because Flowly has no settings for plugins. */
export function settingsSchemaOf(variables: readonly Variable[]): Record<string, unknown> {
  return {
    type: "object",
    properties: {
      variables: variablesSchema(variables),
      guards: {
        type: "string",
        title: "When one of its guards fails",
        description: "A guard that raises, hangs or does not fit has not judged. Flowly itself goes on then.",
        oneOf: [
          { const: "block", title: "What it judges does not happen" },
          { const: "allow", title: "Go on, as Flowly does" },
        ],
        default: "block",
      },
    },
    additionalProperties: false,
  };
}

/** The same in the other languages of the screens. */
export const settingsWords: PluginWords = {
  de: {
    "Environment variables": "Umgebungsvariablen",
    "What the plugin reads from its environment. Refer to secrets as ${NAME}.":
      "Was das Plugin aus seiner Umgebung liest. Auf Geheimnisse verweisen Sie mit ${NAME}.",
    "When one of its guards fails": "Wenn einer seiner Wächter scheitert",
    "A guard that raises, hangs or does not fit has not judged. Flowly itself goes on then.":
      "Ein Wächter, der abbricht, hängt oder nicht passt, hat nicht geurteilt. Flowly selbst macht dann weiter.",
    "What it judges does not happen": "Was er beurteilt, geschieht nicht",
    "Go on, as Flowly does": "Weitermachen, wie Flowly",
  },
};

const storedSchema = z.object({
  variables: z.record(z.string(), z.string()).catch({}),
  guards: z.enum(["block", "allow"]).catch("block"),
});

/** The stored settings, secrets resolved. Variables that nobody may set are left out. */
export function readSettings(config: Record<string, unknown>): z.infer<typeof storedSchema> {
  const { variables, guards } = storedSchema.parse(config);
  return {
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => mayBeSet(name))),
    guards,
  };
}
