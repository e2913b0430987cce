import type { CommandRisk, Starts } from "../../../../contract/index.ts";
import { exactText } from "../../../../contract/shown/clean-text.ts";
import { foldersOf, foundIn, mayFetch } from "./command-line.ts";
import { inputsIn } from "./parts.ts";
import type { ServerFile } from "./server-file.ts";
import { shownCommand } from "./shown-command.ts";

/**
 * How a server is started or reached, as a person reads it before agreeing.
 *
 * @param path where its program is looked for
 */
export function startsOf({ server, inputs }: ServerFile, path: string): Starts {
  const command = exactText(shownCommand(server));
  if (server.type === "remote")
    return {
      way: "address",
      command,
      given: Object.keys(server.headers).map(exactText),
      risks: [],
      fetches: false,
      openSecrets: [],
    };
  const inArguments = new Set(server.args.flatMap(inputsIn));
  const isMissing =
    server.type === "program" && !/^\.{1,2}\//.test(server.command) && foundIn(server.command, path) === null;
  return {
    way: "program",
    command,
    given: Object.keys(server.env).map(exactText),
    risks: risksOf(command),
    fetches: mayFetch(server),
    openSecrets: inputs
      .filter(({ name, secret }) => secret && inArguments.has(name))
      .map(({ name, title }) => exactText(title ?? name)),
    ...(isMissing && {
      missing: { program: exactText(server.command), folders: foldersOf(server.command, path) },
    }),
  };
}

/** What a command line does that a person should look at twice. */
function risksOf(line: string): CommandRisk[] {
  const found: readonly (readonly [RegExp, CommandRisk])[] = [
    [/\b(?:sudo|doas|pkexec)\b/, "administrator"],
    [/\brm\s+-[a-zA-Z]*[rRfF]/, "removes"],
    [/\b(?:curl|wget)\b[^|]*\|\s*(?:ba|z|da)?sh\b/, "loads"],
    [/(?:^|\s)(?:-v|--volume|--mount)[ =]"?\S*?(?:\/:|\$HOME|~|‹home›|(?:source|src)=\/,)/, "mounts"],
    [/--privileged\b/, "privileged"],
  ];
  return found.flatMap(([pattern, risk]) => (pattern.test(line) ? [risk] : []));
}
