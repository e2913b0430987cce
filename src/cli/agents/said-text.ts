import type { PluginSaid } from "../../contract/index.ts";

/** What a plugin left in a conversation, as a terminal shows it; null for what is not shown. */
export function saidText(said: PluginSaid): string | null {
  switch (said.kind) {
    case "notify":
      return said.text;
    case "nextModel":
      return `The next answer is to come from the model ${said.model}.`;
    case "thinkingLevel":
      return `How much the model thinks: ${said.level}.`;
    case "entry": {
      if (!said.display) return null;
      if (said.lines) return said.lines.map(({ text }) => text).join("\n");
      return typeof said.data === "string" ? `${said.type}: ${said.data}` : said.type;
    }
    case "customMessage":
      if (!said.display) return null;
      return said.lines?.map(({ text }) => text).join("\n") ?? said.content;
    case "refused":
      return refusal(said.why);
  }
}

function refusal(why: Extract<PluginSaid, { kind: "refused" }>["why"]): string {
  switch (why.kind) {
    case "unknown_model":
      return `The model ${why.model} is not known here. The agent's own goes on.`;
    case "run_over":
      return "It had something more to tell the model, but the run was over.";
    case "too_many_runs":
      return "It began too many runs one after the other.";
    case "in_chat":
      return "What it asked for cannot be done in a channel's conversation.";
    case "failed":
      return why.problem.message;
  }
}
