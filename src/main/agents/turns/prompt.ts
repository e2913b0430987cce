import type { Agent } from "../../../contract/index.ts";
import type { LiveContributions } from "../ports.ts";
import { NO_REPLY } from "../silence.ts";

/** Characters that one toolset may add to the system prompt. */
const TOOLSET_LIMIT = 4_000;

export interface PromptSection {
  key: string;
  content: string;
}

/** The sections of the system prompt before hooks see them. Empty ones are left out. */
export function promptSections(
  agent: Agent,
  live: LiveContributions,
  channel?: { name: string; group: boolean },
  roomPrompt = "",
): PromptSection[] {
  const toolsets = live.toolsets
    .filter((toolset) => toolset.description.trim())
    .map((toolset) => `- ${toolset.id}: ${toolset.description.trim().slice(0, TOOLSET_LIMIT)}`);
  const skills = live.skills.map(
    ({ name, description, path, file }) => `- ${name}: ${description} (read ${file ?? path})`,
  );
  return [
    { key: "instructions", content: agent.instructions.trim() },
    { key: "workspace", content: `Your workspace is the folder ${agent.workspace}.` },
    { key: "toolsets", content: titled("Your tools come in these sets:", toolsets) },
    { key: "channel", content: channel ? aboutChannel(channel) : "" },
    { key: "room", content: titled("In this room:", roomPrompt === "" ? [] : [roomPrompt]) },
    {
      key: "skills",
      content: titled(
        "You have these skills; read one with read_file before you use it. Files that it names lie beside it:",
        skills,
      ),
    },
  ].filter((section) => section.content !== "");
}

export function systemPrompt(sections: readonly PromptSection[]): string {
  return sections
    .map((section) => section.content)
    .filter((content) => content !== "")
    .join("\n\n");
}

function aboutChannel({ name, group }: { name: string; group: boolean }): string {
  const where = group
    ? `You take part in a group chat through the channel ${name}; a name before a message says who wrote it.`
    : `You are talking through the chat channel ${name}.`;
  return `${where} When nothing should be sent, answer with exactly ${NO_REPLY}.`;
}

function titled(title: string, lines: string[]): string {
  return lines.length > 0 ? [title, ...lines].join("\n") : "";
}
