import { namedLanguages, type Settings, systemLanguage } from "../../contract/index.ts";
import { kitWordsDe } from "../../contract/shown/kit-words-de.ts";
import { asItIs, type Say, sayer } from "../../contract/shown/plugin-words.ts";
import type { CliContext, Client } from "../context.ts";

/** Says the texts of a plugin in the language that is chosen for the screens; as they are where it has none in it. */
export async function sayOf(context: Pick<CliContext, "env">, client: Client, key: string): Promise<Say> {
  const { language: choice } = await client.app.settings();
  const language = chosenLanguage(choice, context.env);
  if (language !== "de") return asItIs;
  const { declaration } = await client.plugins.get({ key });
  return sayer([declaration.words?.[language] ?? {}, kitWordsDe]);
}

/** `system`: the language of the terminal, as the environment names it. */
function chosenLanguage(choice: Settings["language"], env: Record<string, string | undefined>) {
  if (choice !== "system") return choice;
  return systemLanguage(namedLanguages(env));
}
