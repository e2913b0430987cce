import { z } from "zod";

/** What a version of a plugin may offer, ask for or be beyond another one. */
export const growthKindSchema = z.enum([
  "sourceKind",
  "address",
  "repository",
  "registry",
  "tools",
  "namespace",
  "toolsUnnamed",
  "channel",
  "tool",
  "hook",
  "command",
  "skill",
  "provider",
  "shortcut",
  "secret",
  "secretItself",
  "secretTo",
  "setup",
  "requiredHooks",
  "leave",
  "unenforced",
  "script",
  "start",
  "undeclared",
  "anyHost",
  "host",
  "allFiles",
  "workspace",
  "workspaceRead",
  "programs",
  "hostsUnsaid",
  "filesUnsaid",
  "programsUnsaid",
]);
export type GrowthKind = z.infer<typeof growthKindSchema>;

/** One thing that a plugin offers or asks for beyond what was agreed to. */
export const growthSchema = z.object({
  kind: growthKindSchema,
  /** What it is: a host, the name of a tool, a secret. Absent where the kind says all. */
  name: z.string().optional(),
  /** What was there before; for `script` the command that is run, for `secretTo` the host. */
  detail: z.string().optional(),
});
export type Growth = z.infer<typeof growthSchema>;

/** The same as an English sentence. */
export function growthInWords({ kind, name = "", detail = "" }: Growth): string {
  return sentences[kind](name, detail);
}

const sentences: Record<GrowthKind, (name: string, detail: string) => string> = {
  sourceKind: (now, before) =>
    `It comes from another kind of source: ${sourceInWords(now)}, before ${sourceInWords(before)}.`,
  address: (now, before) => `It is at another address: ${now}, before ${before}.`,
  repository: (now, before) => `It comes from another repository: ${now}, before ${before}.`,
  registry: (now, before) => `It comes from another registry: ${now}, before ${before}.`,
  tools: () => "It now offers tools.",
  namespace: (now, before) => `Its tools now have other names: ${now || "any"}, before ${before || "any"}.`,
  toolsUnnamed: () => "It no longer says which tools it offers.",
  channel: () => "It now is a chat channel.",
  tool: (name) => `It now offers the tool ${name}.`,
  hook: (name) => `It now hooks into ${name}.`,
  command: (name) => `It now adds the command ${name}.`,
  skill: (name) => `It now adds the skill ${name}.`,
  provider: (name) => `It now adds the model provider ${name}.`,
  shortcut: (name) => `It now adds the shortcut ${name}.`,
  secret: (name) => `It now wants the secret ${name}.`,
  secretItself: (name) => `It now gets the secret ${name} itself, which Patchbay put in before.`,
  secretTo: (name, host) => `The secret ${name} is now also sent to ${host}.`,
  setup: () => "It now brings a setup of its own.",
  requiredHooks: () => "While it does not run, what it would check is now refused.",
  leave: (name) => `It now wants leave for: ${name}.`,
  unenforced: () => "Nothing holds it to what it declares any more.",
  script: (name, command) => `It now runs at installation: ${command} (${name}).`,
  start: (now, before) => `It is now started or reached in another way: ${now}, before ${before}.`,
  undeclared: () => "It no longer says what it needs permission for.",
  anyHost: () => "It now wants to reach any address on the network.",
  host: (name) => `It now wants to reach ${name}.`,
  allFiles: () => "It now wants all files.",
  workspace: () => "It now wants the files of the workspace.",
  workspaceRead: () => "It now wants to read the files of the workspace.",
  programs: () => "It now wants to start other programs.",
  hostsUnsaid: () => "It no longer says what it reaches on the network.",
  filesUnsaid: () => "It no longer says which files it touches.",
  programsUnsaid: () => "It no longer says whether it starts other programs.",
};

function sourceInWords(kind: string): string {
  return sourceWords.get(kind) ?? kind;
}

const sourceWords = new Map([
  ["npm", "a package registry"],
  ["tarball", "a package file"],
  ["folder", "a copied folder"],
  ["link", "a linked folder"],
  ["git", "a git repository"],
  ["builtin", "Patchbay itself"],
  ["endpoint", "an address"],
]);
