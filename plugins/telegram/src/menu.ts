import type { Api } from "grammy/web";
import de from "../locales/de.json" with { type: "json" };

const commands = [
  { command: "new", description: "Begin a new conversation" },
  { command: "clear", description: "Forget what was said" },
  { command: "compact", description: "Shorten what was said to a summary" },
  { command: "help", description: "What can be typed here" },
] as const;

/**
 * Fills the menu beside the text field: in German for those who use Telegram in German, in English for everybody else.
 * Never rejects, because commands can be typed without the menu.
 */
export async function fillMenu(api: Api): Promise<void> {
  const german = commands.map(({ command, description }) => ({ command, description: de[description] }));
  await Promise.allSettled([api.setMyCommands(commands), api.setMyCommands(german, { language_code: "de" })]);
}
