import { z } from "zod";
import type { SecretKey } from "../../../../contract/index.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";

/** An environment variable that a plugin reads: its name, and what a person should know about it. */
export interface Variable {
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

/** The environment variables of a list of names and descriptions, without those that nobody may set. */
export function variablesOf(named: readonly unknown[]): Variable[] {
  const found = new Map<string, Variable>();
  for (const entry of named) {
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

/** The part of a settings schema for them. Further variables may be set beside those that are named. */
export function variablesSchema(variables: readonly Variable[]): Record<string, unknown> {
  return {
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
  };
}

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
