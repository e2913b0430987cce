import { isAbsolute, normalize } from "node:path";
import { agentEventNames, isAgentEventName } from "@patchbay/plugin-sdk";
import type { Capabilities } from "../../../../contract/index.ts";
import type { ManifestProblems } from "../../manifest-problems.ts";
import type { ConfigField } from "./config-fields.ts";
import { legacyChannelFields } from "./legacy-channel-settings.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { type DeclaredSettings, readSettings, type Section } from "./manifest-settings.ts";

/** The capabilities that a manifest declares. */
export interface DeclaredCapabilities {
  badges: Capabilities;
  /** The sections of the settings wrapper that this plugin has. */
  sections: Section[];
  settings: { section: Section; declared: DeclaredSettings }[];
  hasSetup: boolean;
  /** Settings that Patchbay adds to the plugin's own. */
  ownFields: ConfigField[];
  /** Events whose hook must run: while the plugin does not run, what the hook would check is refused. */
  requiredHooks: string[];
}

/** Tool namespaces that no plugin may use. */
const RESERVED_NAMESPACES = ["mcp"];
const CHANNEL_NAMESPACE = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const NAMESPACE = /^[a-z][a-z0-9_]{0,31}$/;

export function readCapabilities(
  manifest: ManifestReader,
  legacy: boolean,
  problems: ManifestProblems,
): DeclaredCapabilities {
  const found: DeclaredCapabilities = {
    badges: {},
    sections: [],
    settings: [],
    hasSetup: false,
    ownFields: [],
    requiredHooks: [],
  };
  const topSetup = readSetup(manifest, problems);
  found.hasSetup = topSetup;
  if (legacy) {
    const namespace = manifest.text("namespace");
    if (namespace && !CHANNEL_NAMESPACE.test(namespace)) {
      problems.expected(
        "namespace",
        "lower-case letters, digits, dashes and underscores, at most 64",
        manifest.field("namespace"),
      );
    }
    found.badges.channel = { hasSetup: topSetup, namespace };
    found.sections.push("channel");
    found.ownFields = legacyChannelFields;
    return found;
  }
  readTools(manifest, found, problems);
  readChannel(manifest, found, topSetup, problems);
  readHooks(manifest, found, problems);
  readCommands(manifest, found, problems);
  readSkills(manifest, found, problems);
  return found;
}

function readTools(manifest: ManifestReader, found: DeclaredCapabilities, problems: ManifestProblems): void {
  const tools = manifest.optionalObject("tools");
  if (!tools) return;
  tools.requireFunction("start");
  const namespace = tools.text("namespace");
  if (namespace && !NAMESPACE.test(namespace)) {
    problems.expected(
      "tools.namespace",
      "lower-case letters, digits and underscores, at most 32, starting with a letter",
      tools.field("namespace"),
    );
  } else if (RESERVED_NAMESPACES.includes(namespace)) {
    problems.add(
      "tools.namespace",
      `\`tools.namespace\` is "${namespace}", which is reserved. The plugin's author must choose another one.`,
    );
  }
  const names = tools.has("names") ? readToolNames(tools, problems) : null;
  found.badges.tools = { namespace, ...(names && { names }) };
  addSection(tools, "tools", found, problems);
}

function readToolNames(tools: ManifestReader, problems: ManifestProblems): string[] {
  const names = new Set<string>();
  for (const [index, item] of (tools.optionalList("names") ?? []).entries()) {
    if (item.kind === "text" && TOOL_NAME.test(item.value)) names.add(item.value);
    else {
      problems.expected(
        `tools.names[${index}]`,
        "the name of a tool: letters, digits, dashes and underscores, at most 64",
        item,
      );
    }
  }
  return [...names];
}

function readChannel(
  manifest: ManifestReader,
  found: DeclaredCapabilities,
  topSetup: boolean,
  problems: ManifestProblems,
): void {
  const channel = manifest.optionalObject("channel");
  if (!channel) return;
  channel.requireFunction("start");
  found.badges.channel = { hasSetup: readSetup(channel, problems) || topSetup };
  found.hasSetup ||= found.badges.channel.hasSetup;
  addSection(channel, "channel", found, problems);
}

function readHooks(manifest: ManifestReader, found: DeclaredCapabilities, problems: ManifestProblems): void {
  const hooks = manifest.optionalObject("hooks");
  if (!hooks) return;
  hooks.requireFunction("start");
  const events = readEvents(hooks, problems);
  if (hooks.optionalFlag("required")) found.requiredHooks = events;
  found.badges.hooks = { events };
  addSection(hooks, "hooks", found, problems);
}

function readEvents(hooks: ManifestReader, problems: ManifestProblems): string[] {
  const fact = hooks.field("events");
  if (fact.kind !== "list") {
    problems.expected("hooks.events", "a list of event names", fact);
    return [];
  }
  if (fact.items.length === 0)
    problems.warn("`hooks.events` is empty, so the plugin's hooks are never asked.");
  const events = new Set<string>();
  for (const [index, item] of fact.items.entries()) {
    const field = `hooks.events[${index}]`;
    if (item.kind !== "text") problems.expected(field, "the name of an event", item);
    else if (isAgentEventName(item.value)) events.add(item.value);
    else {
      problems.add(
        field,
        `\`${field}\` is "${item.value}", which is not an event that agents have.${suggestion(item.value)} The plugin's author must correct it.`,
      );
    }
  }
  return [...events];
}

function suggestion(name: string): string {
  const bare = name.replace(/@.*$/, "").toLowerCase();
  const near = agentEventNames.find((known) => known.replace(/@.*$/, "") === bare);
  return near ? ` Perhaps "${near}" is meant.` : "";
}

function readCommands(
  manifest: ManifestReader,
  found: DeclaredCapabilities,
  problems: ManifestProblems,
): void {
  const fact = manifest.field("commands");
  if (fact.kind === "absent") return;
  if (fact.kind === "object") {
    manifest.optionalObject("commands")?.requireFunction("start");
    found.badges.commands = { names: [] };
    return;
  }
  const names: string[] = [];
  for (const command of manifest.objects("commands")) {
    const name = command.text("name");
    command.text("description");
    command.requireFunction("run");
    command.optionalText("argsHint");
    command.optionalText("keys");
    if (name && !/^[a-z0-9][a-z0-9_:-]{0,63}$/i.test(name)) {
      problems.expected(
        command.at("name"),
        "letters, digits, dashes, underscores and colons, at most 64, without the slash",
        command.field("name"),
      );
    } else if (names.includes(name)) {
      problems.add(
        command.at("name"),
        `\`${command.at("name")}\` is "${name}", which stands in the list twice. The plugin's author must remove one.`,
      );
    }
    names.push(name);
  }
  if (names.length > 0) found.badges.commands = { names };
}

function readSkills(manifest: ManifestReader, found: DeclaredCapabilities, problems: ManifestProblems): void {
  const names: string[] = [];
  for (const skill of manifest.objects("skills")) {
    names.push(skill.text("name"));
    skill.text("description");
    const path = skill.text("path", "the path of a file in the package");
    if (isAbsolute(path) || normalize(path).split(/[\\/]/).includes("..")) {
      problems.expected(skill.at("path"), "a path inside the package", skill.field("path"));
    }
  }
  if (names.length > 0) found.badges.skills = { names };
}

function readSetup(owner: ManifestReader, problems: ManifestProblems): boolean {
  const fact = owner.field("setup");
  if (fact.kind === "absent") return false;
  if (fact.kind !== "object") {
    problems.expected(owner.at("setup"), "an object with `begin` and `poll`", fact);
    return false;
  }
  const setup = owner.optionalObject("setup");
  setup?.requireFunction("begin");
  setup?.requireFunction("poll");
  setup?.optionalFunction("submit");
  setup?.optionalFunction("cancel");
  return true;
}

function addSection(
  reader: ManifestReader,
  section: Section,
  found: DeclaredCapabilities,
  problems: ManifestProblems,
): void {
  found.sections.push(section);
  found.settings.push({ section, declared: readSettings(reader, section, problems) });
}
