import type { IrcLine } from "irc-framework";
import type { AboutServer } from "../wire/about-server.ts";
import type { Nicks } from "./nicks.ts";

/** Tells who came, went, changed their name or signed in, as a line of the server says. */
export function tellNicks(nicks: Nicks, line: IrcLine, around: AboutServer): void {
  const { command, params, nick, ident, hostname } = line;
  const fold = (name: string) => around.fold(name);
  const isMe = (name: string) => around.isMe(name);
  const [first = "", second = ""] = params;
  switch (command) {
    case "JOIN": {
      if (isMe(nick)) return;
      const account = around.can("extended-join")
        ? second === "*" || second === ""
          ? null
          : second
        : undefined;
      nicks.entered(fold(first), nick, `${ident}@${hostname}`, account);
      return;
    }
    case "353":
      for (const one of (params.at(-1) ?? "").split(" ")) {
        const [name = "", userhost] = withoutPrefix(one, around.prefixes).split("!");
        if (name !== "" && !isMe(name))
          nicks.entered(fold(params[2] ?? ""), name, userhost ?? null, undefined);
      }
      return;
    case "PART":
      if (isMe(nick)) nicks.roomGone(fold(first));
      else nicks.parted(fold(first), nick);
      return;
    case "KICK":
      if (isMe(second)) nicks.roomGone(fold(first));
      else nicks.parted(fold(first), second);
      return;
    case "QUIT":
      nicks.quit(nick);
      return;
    case "NICK":
      if (!isMe(nick) && !isMe(first)) nicks.renamed(nick, first);
      return;
    case "ACCOUNT":
      nicks.accountSet(nick, first === "*" ? null : first);
      return;
    case "401":
      nicks.quit(second);
      return;
    case "730":
      for (const name of namesIn(params.at(-1))) nicks.online(name);
      return;
    case "731":
      for (const name of namesIn(params.at(-1))) nicks.offline(name);
      return;
  }
}

function withoutPrefix(name: string, prefixes: string): string {
  let start = 0;
  while (start < name.length && prefixes.includes(name.charAt(start))) start += 1;
  return name.slice(start);
}

/** Nicks of a list like `olga!o@h,uma`. */
const namesIn = (list = "") => list.split(",").map((name) => name.split("!")[0] ?? "");
