import { z } from "zod";
import type { PluginWords, SecretKey } from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";

/** An entry of `requires_env`: a name, or a name with what a person should know about it. */
interface Variable {
  name: string;
  description: string;
  secret: boolean;
  url?: string;
}

/** Names that Patchbay or the system set themselves; a plugin cannot have them set otherwise. */
const ownNames = /^(?:PATH|HOME|SHELL|USER|FLOWLY_HOME|LD_.*|DYLD_.*|PYTHON.*|PATCHBAY_.*|NODE_.*|TMPDIR)$/i;
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const soundsSecret = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)/i;
const MOST = 100;

const described = z.object({
  name: z.string(),
  description: z.string().catch(""),
  secret: z.boolean().optional().catch(undefined),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
});

/**
 * The environment variables that a manifest asks for, without those that nobody may set. Flowly never refuses to load a
 * plugin because one is missing; neither does Patchbay.
 */
export function variablesOf(requiresEnv: readonly unknown[]): Variable[] {
  const found = new Map<string, Variable>();
  for (const entry of requiresEnv) {
    const read = described.safeParse(typeof entry === "string" ? { name: entry } : entry);
    if (!read.success || !mayBeSet(read.data.name) || found.size >= MOST) continue;
    const { name, description, secret, url } = read.data;
    found.set(name, {
      name,
      description: cleanLine(description).slice(0, 500),
      secret: secret ?? soundsSecret.test(name),
      ...(url !== undefined && { url }),
    });
  }
  return [...found.values()];
}

/** Whether a plugin's settings may set an environment variable of that name. */
export function mayBeSet(name: string): boolean {
  return variableName.test(name) && !ownNames.test(name);
}

/** The settings of a Flowly plugin. They are Patchbay's own, because Flowly has no settings for plugins. */
export function settingsSchemaOf(variables: readonly Variable[]): Record<string, unknown> {
  return {
    type: "object",
    properties: {
      variables: {
        type: "object",
        title: "Environment variables",
        description: "What the plugin reads from its environment. Refer to secrets as ${NAME}.",
        properties: Object.fromEntries(
          variables.map(({ name, description }) => [
            name,
            { type: "string", title: name, ...(description !== "" && { description }) },
          ]),
        ),
        additionalProperties: { type: "string" },
      },
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

/** The secrets among the variables. All are optional: the plugin decides itself what it does without one. */
export function secretKeysOf(variables: readonly Variable[]): SecretKey[] {
  return variables
    .filter(({ secret }) => secret)
    .map(({ name, description, url }) => ({
      key: name,
      label: name,
      path: ["variables", name],
      optional: true,
      ...(description !== "" && { help: description }),
      ...(url !== undefined && { url }),
    }));
}

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
