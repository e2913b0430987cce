import type { Message, Tool } from "@earendil-works/pi-ai";
import type { ContextGroup, ContextKind, RecordEventOf } from "../../../../contract/index.ts";
import type { LiveContributions } from "../../ports.ts";
import type { PromptSection } from "../../turns/prompt.ts";
import type { SectionChange } from "./changes.ts";

/** A part of a request with its whole text. */
export interface WholePart {
  kind: ContextKind;
  group: ContextGroup;
  title: string;
  owner: string | null;
  text: string;
  pictures: number;
  changes: SectionChange[];
}

/** What is known of a turn besides the request. */
export interface PartSources {
  sections: readonly PromptSection[];
  changes: ReadonlyMap<string, SectionChange[]>;
  live: Pick<LiveContributions, "tools" | "toolsets" | "skills"> | undefined;
  received: RecordEventOf<"message_received"> | undefined;
  /** The plugin that changed the system prompt for this call alone. */
  promptBy: string | null;
}

/** How the summary of a compacted conversation begins; see `toMessages`. */
const summary = "Summary of the conversation so far:";

/** A request taken apart: the system prompt by sections, tools, and messages with what tools answered. */
export function partsOf(messages: readonly Message[], sources: PartSources): WholePart[] {
  const begun = beginOfTurn(messages, sources.received);
  return messages.flatMap((message, index) =>
    messageParts(message, index < begun ? "history" : "turn", sources),
  );
}

function messageParts(message: Message, group: "history" | "turn", sources: PartSources): WholePart[] {
  switch (message.role) {
    case "system":
      return [
        ...systemParts(message, sources),
        ...(message.toolsAdded ?? []).map((tool) => toolPart(tool, sources)),
      ];
    case "user": {
      const { text, pictures } = spoken(message.content);
      return [part({ kind: text.startsWith(summary) ? "summary" : "user", group, text, pictures })];
    }
    case "assistant": {
      const lines = message.content.map(saidBy).filter((line) => line !== "");
      return [part({ kind: "assistant", group, text: lines.join("\n") })];
    }
    case "toolResult": {
      const { text, pictures } = spoken(message.content);
      const info = sources.live?.tools.find(({ name }) => name === message.toolName);
      const title = info?.title ?? message.toolName;
      return [part({ kind: "result", group: "results", title, owner: info?.owner ?? null, text, pictures })];
    }
  }
}

function part(known: Pick<WholePart, "kind" | "group" | "text"> & Partial<WholePart>): WholePart {
  return { title: "", owner: null, pictures: 0, changes: [], ...known };
}

type SystemMessage = Extract<Message, { role: "system" }>;

function systemParts({ content }: SystemMessage, sources: PartSources): WholePart[] {
  const { text } = spoken(content);
  if (text === "") return [];
  const { sections, changes, promptBy } = sources;
  const joined = sections
    .map((section) => section.content)
    .filter((one) => one !== "")
    .join("\n\n");
  if (joined !== text)
    return [part({ kind: "section", group: "system", title: "prompt", owner: promptBy, text })];
  return sections
    .filter((section) => section.content !== "")
    .flatMap((section) => {
      const own = changes.get(section.key) ?? [];
      if (own.length > 0)
        return part({
          kind: "section",
          group: "system",
          title: section.key,
          owner: own.at(-1)?.owner ?? null,
          text: section.content,
          changes: own,
        });
      return byOwner(section, sources.live);
    });
}

/** A section in which several plugins have a line each, one part for each plugin; any other section as it is. */
function byOwner({ key, content }: PromptSection, live: PartSources["live"]): WholePart[] {
  const whole = part({ kind: "section", group: "system", title: key, text: content });
  const named =
    key === "toolsets"
      ? live?.toolsets.map(({ owner, id }) => ({ owner, begins: `- ${id}:` }))
      : key === "skills"
        ? live?.skills.map(({ owner, name }) => ({ owner, begins: `- ${name}:` }))
        : undefined;
  if (!named || named.length === 0) return [whole];
  const texts = new Map<string | null, string[]>();
  let owner: string | null = null;
  for (const line of content.split("\n")) {
    owner = named.find(({ begins }) => line.startsWith(begins))?.owner ?? owner;
    texts.set(owner, [...(texts.get(owner) ?? []), line]);
  }
  return [...texts].map(([of, lines]) => ({ ...whole, owner: of, text: lines.join("\n") }));
}

function toolPart({ name, description, parameters }: Tool, { live }: PartSources): WholePart {
  const info = live?.tools.find((tool) => tool.name === name);
  const text = `${name}: ${description}\n${JSON.stringify(parameters, null, 2)}`;
  return part({ kind: "tool", group: "tools", title: info?.title ?? name, owner: info?.owner ?? null, text });
}

/** Where the messages of this turn begin: at the last one with its text, or else at the last of the person. */
function beginOfTurn(messages: readonly Message[], received: PartSources["received"]): number {
  const asked = messages.findLastIndex(
    (message) =>
      message.role === "user" &&
      received !== undefined &&
      spoken(message.content).text.includes(received.text),
  );
  return asked === -1 ? messages.findLastIndex(({ role }) => role === "user") : asked;
}

type Content = SystemMessage["content"] | Extract<Message, { role: "user" }>["content"];

function spoken(content: Content): { text: string; pictures: number } {
  if (typeof content === "string") return { text: content, pictures: 0 };
  const texts = content.flatMap((one) => (one.type === "text" ? [one.text] : []));
  return { text: texts.join("\n"), pictures: content.filter((one) => one.type === "image").length };
}

function saidBy(one: Extract<Message, { role: "assistant" }>["content"][number]): string {
  switch (one.type) {
    case "text":
      return one.text;
    case "thinking":
      return one.thinking;
    case "toolCall":
      return `${one.name} ${JSON.stringify(one.arguments)}`;
    default:
      return "";
  }
}
