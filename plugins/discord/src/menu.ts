import de from "../locales/de.json" with { type: "json" };

const commands = [
  { name: "new", description: "Begin a new conversation" },
  { name: "stop", description: "Stop what is being answered here" },
  { name: "clear", description: "Forget what was said" },
  { name: "compact", description: "Shorten what was said to a summary" },
  { name: "help", description: "What can be typed here" },
] as const;

/** The slash commands as Discord's menu shows them: in German to those who use Discord in German, else in English. */
export const menu = commands.map(({ name, description }) => ({
  name,
  description,
  descriptionLocalizations: { de: de[description] },
}));
