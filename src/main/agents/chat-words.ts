import type { CommandInfo, Language } from "../../contract/index.ts";
import type { ChatLanguages } from "./ports.ts";

/** Commands that everybody has. */
export const builtinCommands = ["help", "new", "clear", "compact"] as const;
/** What a channel understands by itself; it never reaches the commands of the core. */
export const chatCommands = ["approve", "refuse", "pair", "stop"] as const;
type CommandName = (typeof builtinCommands)[number] | (typeof chatCommands)[number];

/** What Patchbay itself says in conversations, beside the model. */
export interface ChatWords {
  commands: Record<CommandName, string>;
  /** What stands in the list of commands for what is typed after one. */
  after: Partial<Record<CommandName, string>>;
  begunAnew(sessionId: string): string;
  cleared: string;
  nothingToClear: string;
  nothingToCompact: string;
  compacted(summary: string): string;
  /** `near`: the command whose name is nearly that; absent: none is. */
  noCommand(name: string, near?: string): string;
  /** A prompt of a plugin whose words the owner has not agreed to. */
  heldPrompt(name: string, plugin: string): string;
  ownersCommand(name: string): string;
  done: string;
  /** The one sentence to somebody who is not known. */
  notKnown(code: string): string;
  letIn(name: string, id: string): string;
  /** A plugin asks something in the middle of a turn. */
  asksElsewhere(plugin: string, minutes: number): string;
}

export const english: ChatWords = {
  commands: {
    help: "Lists the commands; with the name of one after it, explains that one.",
    new: "Starts a new conversation.",
    clear: "Starts the context of this conversation afresh; its history stays.",
    compact: "Replaces the context of this conversation by a summary.",
    approve: 'Allows the call that the agent asked for under this number. Also "yes <number>". Owners only.',
    refuse: 'Refuses the call that the agent asked for under this number. Also "no <number>". Owners only.',
    pair: "Lets in the person who was told this code. Owners only.",
    stop: "Stops what the agent is doing for you here.",
  },
  after: { approve: "<number>", refuse: "<number>", pair: "<code>" },
  begunAnew: (sessionId) => `Started a new conversation: ${sessionId}`,
  cleared: "The context was cleared.",
  nothingToClear: "There is no conversation to clear.",
  nothingToCompact: "There is no conversation to compact.",
  compacted: (summary) => `The conversation was replaced by this summary:\n\n${summary}`,
  noCommand: (name, near) =>
    `There is no command /${name}.${near === undefined ? "" : ` Did you mean /${near}?`} Type /help for the list.`,
  heldPrompt: (name, plugin) =>
    `/${name} is held: ${plugin} says of it what you have not agreed to. Look at it in Patchbay, on the page of ${plugin}.`,
  ownersCommand: (name) => `Only the owner of the agent may use /${name}.`,
  done: "Done.",
  notKnown: (code) => `I do not know you yet. Give this code to my owner: ${code}. It holds for an hour.`,
  letIn: (name, id) => `${name} (${id}) may write now.`,
  asksElsewhere: (plugin, minutes) =>
    `The plugin ${plugin} has a question for my owner. It is answered in Patchbay, under Approvals. I wait for that ${minutes} min at most.`,
};

const german: ChatWords = {
  commands: {
    help: "Zeigt die Befehle; mit dem Namen von einem dahinter erklärt es diesen. Auch „/hilfe“.",
    new: "Beginnt ein neues Gespräch.",
    clear: "Beginnt den Kontext dieses Gesprächs von vorn; der Verlauf bleibt.",
    compact: "Ersetzt den Kontext dieses Gesprächs durch eine Zusammenfassung.",
    approve:
      "Erlaubt den Aufruf, um den der Agent unter dieser Nummer bittet. Auch „ja <Nummer>“. Nur für Besitzer.",
    refuse:
      "Lehnt den Aufruf ab, um den der Agent unter dieser Nummer bittet. Auch „nein <Nummer>“. Nur für Besitzer.",
    pair: "Lässt die Person ein, der dieser Code genannt wurde. Nur für Besitzer.",
    stop: "Hält an, was der Agent hier gerade für dich tut. Auch „stopp“.",
  },
  after: { approve: "<Nummer>", refuse: "<Nummer>", pair: "<Code>" },
  begunAnew: (sessionId) => `Ein neues Gespräch ist begonnen: ${sessionId}`,
  cleared: "Der Kontext ist geleert.",
  nothingToClear: "Es gibt kein Gespräch, das geleert werden könnte.",
  nothingToCompact: "Es gibt kein Gespräch, das zusammengefasst werden könnte.",
  compacted: (summary) => `An die Stelle des Gesprächs ist diese Zusammenfassung getreten:\n\n${summary}`,
  noCommand: (name, near) =>
    `Einen Befehl /${name} gibt es nicht.${near === undefined ? "" : ` War /${near} gemeint?`} Mit /hilfe kommt die Liste.`,
  heldPrompt: (name, plugin) =>
    `/${name} wird zurückgehalten: ${plugin} sagt darüber etwas, dem du nicht zugestimmt hast. Sieh es dir in Patchbay auf der Seite von ${plugin} an.`,
  ownersCommand: (name) => `Den Befehl /${name} darf nur der Besitzer des Agenten benutzen.`,
  done: "Erledigt.",
  notKnown: (code) =>
    `Ich kenne dich noch nicht. Gib meinem Besitzer diesen Code: ${code}. Er gilt eine Stunde.`,
  letIn: (name, id) => `${name} (${id}) darf jetzt schreiben.`,
  asksElsewhere: (plugin, minutes) =>
    `Das Plugin ${plugin} hat eine Frage an meinen Besitzer. Sie wird in Patchbay beantwortet, unter „Freigaben“. Darauf warte ich höchstens ${minutes} Min.`,
};

const lists: Record<Language, ChatWords> = { en: english, de: german };

export function chatWords(language: Language): ChatWords {
  return lists[language];
}

export const englishOnly: ChatLanguages = { of: () => "en", onChange: () => () => {} };

/** Another name of `help`. */
export const GERMAN_HELP = "hilfe";

/** The built-in commands as they are listed. */
export function builtinsIn({ commands }: ChatWords): CommandInfo[] {
  return builtinCommands.map((name) => ({ name, description: commands[name], owner: null }));
}

/** What somebody may use, as it is listed. @param isChat they write in a channel, which has commands of its own */
export function commandsFor(
  words: ChatWords,
  plugins: readonly CommandInfo[],
  isChat: boolean,
): CommandInfo[] {
  return [...builtinsIn(words), ...plugins, ...(isChat ? chatCommandsIn(words) : [])];
}

function chatCommandsIn({ commands, after }: ChatWords): CommandInfo[] {
  return chatCommands.map((name) => ({
    name,
    ...(after[name] !== undefined && { argsHint: after[name] }),
    description: commands[name],
    owner: null,
  }));
}
