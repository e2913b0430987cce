import type { AgentPluginState, InstanceView } from "../agent-plugin.ts";
import type { Dialog } from "../dialogs/dialog.ts";
import type { Problem } from "../errors.ts";
import { isObject } from "../is-object.ts";
import type { Consent } from "../job.ts";
import type { PluginView } from "../plugin.ts";
import type { SetupStep, SetupView } from "../setup.ts";
import type { Say } from "./plugin-words.ts";

/** What a plugin says in the values of the core, with its texts as `say` says them. Names, addresses and values stay. */

/**
 * A plugin in words. Its name stays what it is: it is what the person knows it by, and was compared with the names of
 * others when it was installed.
 */
export function pluginInWords(plugin: PluginView, say: Say): PluginView {
  const { configSchema, secretKeys, about } = plugin.declaration;
  return {
    ...plugin,
    description: say(plugin.description),
    declaration: {
      ...plugin.declaration,
      ...(about && { about: texts(about, ["longDescription"], say) }),
      configSchema: configSchema && schemaInWords(configSchema, say),
      secretKeys: secretKeys.map((secret) => texts(secret, ["label", "help", "placeholder"], say)),
    },
  };
}

/** What is asked before an installation, in words. */
export function consentInWords(consent: Consent, say: Say): Consent {
  const { about } = consent;
  const secrets = consent.secrets.map((secret) => texts(secret, ["label"], say));
  return {
    ...consent,
    description: say(consent.description),
    ...(about && { about: texts(about, ["longDescription"], say) }),
    secrets,
  };
}

/** A plugin's row for an agent in words. */
export function rowInWords(row: AgentPluginState, say: Say): AgentPluginState {
  return {
    ...row,
    lastError: row.lastError && problemInWords(row.lastError, say),
    runtimeState: row.runtimeState && stateInWords(row.runtimeState, say),
    instance: instanceInWords(row.instance, say),
  };
}

function instanceInWords(instance: InstanceView, say: Say): InstanceView {
  const { reason, contributions } = instance;
  const described = <T extends { description: string; label?: string | undefined }>(one: T) =>
    texts(one, ["description", "label"], say);
  return {
    ...instance,
    reason: reason && problemInWords(reason, say),
    contributions: contributions && {
      ...contributions,
      tools: contributions.tools.map(described),
      commands: contributions.commands.map(described),
    },
  };
}

/** What was reported of a state, with the texts in it. */
function stateInWords(state: Record<string, unknown>, say: Say, depth = 0): Record<string, unknown> {
  const told = Object.entries(state).map(([key, value]) => {
    if (typeof value === "string") return [key, say(value)];
    return [key, isObject(value) && depth < 3 ? stateInWords(value, say, depth + 1) : value];
  });
  return Object.fromEntries(told);
}

export function problemInWords<P extends Omit<Problem, "code">>(problem: P, say: Say): P {
  const { details } = problem;
  const fields = isObject(details) && Array.isArray(details.fields) ? details.fields : null;
  return {
    ...problem,
    message: say(problem.message),
    ...(fields && {
      details: {
        ...details,
        fields: fields.map((field: unknown) =>
          isObject(field) ? texts(field as { message?: string }, ["message"], say) : field,
        ),
      },
    }),
  };
}

/** A wizard in words. */
export function setupInWords(view: SetupView, say: Say): SetupView {
  return {
    ...view,
    step: stepInWords(view.step, say),
    trail: view.trail.map((one) => texts(one, ["title"], say)),
  };
}

export function stepInWords(step: SetupStep, say: Say): SetupStep {
  const headed = {
    ...texts(step, ["title", "instructions"], say),
    ...(step.steps && { steps: step.steps.map(say) }),
  };
  switch (headed.kind) {
    case "form":
      return {
        ...texts(headed, ["problem"], say),
        fields: headed.fields.map((field) => ({
          ...texts(field, ["label", "help", "placeholder"], say),
          ...(field.options && {
            options: field.options.map((option) => texts(option, ["label", "help"], say)),
          }),
        })),
        ...(headed.page && { page: texts(headed.page, ["label"], say) }),
        ...(headed.copy && { copy: texts(headed.copy, ["label"], say) }),
      };
    case "menu":
      return { ...headed, options: headed.options.map((option) => texts(option, ["label", "help"], say)) };
    case "external": {
      const { poll } = headed;
      return { ...headed, poll: { ...poll, problem: poll.problem && problemInWords(poll.problem, say) } };
    }
    case "error":
      return { ...headed, problem: problemInWords(headed.problem, say) };
    case "progress":
    case "settings":
    case "oauth":
    case "done":
      return headed;
  }
}

/** A plugin's question in words; one of Patchbay itself is in words already. */
export function dialogInWords(dialog: Dialog, say: Say): Dialog {
  if (dialog.about) return dialog;
  const { question } = dialog;
  const asked = texts(question, ["message"], say);
  if (asked.kind === "form") {
    const fields = asked.fields.map((field) => texts(withOptions(field, say), ["title", "description"], say));
    return { ...dialog, question: { ...asked, fields } };
  }
  if (!("options" in asked)) return { ...dialog, question: asked };
  return { ...dialog, question: withOptions(asked, say) };
}

function withOptions<T extends object>(of: T, say: Say): T {
  if (!("options" in of) || !Array.isArray(of.options)) return of;
  return { ...of, options: of.options.map((option) => texts(option, ["label"], say)) };
}

/** A JSON Schema with its titles, descriptions and hints in words. What is compared stays as it is. */
export function schemaInWords(schema: Record<string, unknown>, say: Say): Record<string, unknown> {
  return walk(schema, say, 0) as Record<string, unknown>;
}

const DEEPEST = 200;

function walk(schema: unknown, say: Say, depth: number): unknown {
  if (depth > DEEPEST) return schema;
  if (Array.isArray(schema)) return schema.map((item) => walk(item, say, depth + 1));
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key === "default" || key === "const" || key === "enum" || key === "examples") return [key, value];
    if (typeof value === "string") return [key, schemaTexts.has(key) ? say(value) : value];
    return [key, walk(value, say, depth + 1)];
  });
  return Object.fromEntries(entries);
}

const schemaTexts: ReadonlySet<string> = new Set(["title", "description", "placeholder"]);

/** A copy with these fields said, where they are texts. */
function texts<T extends object, K extends keyof T & string>(value: T, keys: readonly K[], say: Say): T {
  const said = { ...value };
  for (const key of keys) {
    const text: unknown = value[key];
    if (typeof text === "string") said[key] = say(text) as T[K];
  }
  return said;
}
