import type { PersonAct } from "../../contract/index.ts";

/** What is to be confirmed, for the terminal and for sentences of errors. The screens have words of their own. */
export const actWords: Record<PersonAct, string> = {
  install: "Installing a plugin",
  backup: "Writing all secrets into a file",
  passphrase: "Changing the passphrase of the secrets",
  policy: "Changing what an agent may do without asking",
  deciding: "Letting a chat decide waiting calls",
  grant: "Giving a plugin or an agent more than it has",
  risk: "Going on in spite of a known risk",
  run: "Allowing a call of a tool",
  pause: "Stopping an agent's turn and changing what it does",
  screen: "Opening one more screen",
  program: "Letting another program use an agent's tools",
  send: "Sending the traces of turns elsewhere",
};
