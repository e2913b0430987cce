import { z } from "zod";
import type { PluginWords } from "../../../contract/index.ts";
import { mayBeSet, type Variable, variablesSchema } from "../hosted/foreign/variables.ts";

/** The settings of a dirge plugin. They are Patchbay's own but for `autoStart`, because dirge has hardly any for plugins. */
export function settingsSchemaOf(variables: readonly Variable[]): Record<string, unknown> {
  return {
    type: "object",
    properties: {
      variables: variablesSchema(variables),
      autoStart: {
        type: "boolean",
        title: "Start its work by itself",
        description: "What the plugin reads as :auto-start. Most plugins do not look at it.",
        default: false,
      },
      guards: {
        type: "string",
        title: "When its check of a tool call fails",
        description: "A check that raises or hangs has not judged. dirge itself goes on then.",
        oneOf: [
          { const: "block", title: "The call does not happen" },
          { const: "allow", title: "Go on, as dirge does" },
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
    "Start its work by itself": "Von selbst mit seiner Arbeit beginnen",
    "What the plugin reads as :auto-start. Most plugins do not look at it.":
      "Was das Plugin als :auto-start liest. Die meisten Plugins sehen nicht danach.",
    "When its check of a tool call fails": "Wenn seine Prüfung eines Werkzeugaufrufs scheitert",
    "A check that raises or hangs has not judged. dirge itself goes on then.":
      "Eine Prüfung, die abbricht oder hängt, hat nicht geurteilt. dirge selbst macht dann weiter.",
    "The call does not happen": "Der Aufruf geschieht nicht",
    "Go on, as dirge does": "Weitermachen, wie dirge",
  },
};

const storedSchema = z.object({
  variables: z.record(z.string(), z.string()).catch({}),
  autoStart: z.boolean().catch(false),
  guards: z.enum(["block", "allow"]).catch("block"),
});

/** The stored settings, secrets resolved. Variables that nobody may set are left out. */
export function readSettings(config: Record<string, unknown>): z.infer<typeof storedSchema> {
  const { variables, ...rest } = storedSchema.parse(config);
  return {
    ...rest,
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => mayBeSet(name))),
  };
}
