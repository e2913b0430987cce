import type { IrcLine } from "irc-framework";
import type { AboutServer } from "../wire/about-server.ts";
import type { People } from "./people.ts";

/** Tells who came, went, changed their name or signed in. */
export function tellPeople(people: People, line: IrcLine, around: AboutServer): void {
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
      people.entered(fold(first), nick, `${ident}@${hostname}`, account);
      return;
    }
    case "353":
      for (const one of (params.at(-1) ?? "").split(" ")) {
        const [name = "", userhost] = withoutPrefix(one, around.prefixes).split("!");
        if (name !== "" && !isMe(name))
          people.entered(fold(params[2] ?? ""), name, userhost ?? null, undefined);
      }
      return;
    case "PART":
      if (isMe(nick)) people.roomGone(fold(first));
      else people.parted(fold(first), nick);
      return;
    case "KICK":
      if (isMe(second)) people.roomGone(fold(first));
      else people.parted(fold(first), second);
      return;
    case "QUIT":
      people.quit(nick);
      return;
    case "NICK":
      if (!isMe(nick) && !isMe(first)) people.renamed(nick, first);
      return;
    case "ACCOUNT":
      people.accountSet(nick, first === "*" ? null : first);
      return;
    case "401":
      people.quit(second);
      return;
    case "730":
      for (const name of namesIn(params.at(-1))) people.online(name);
      return;
    case "731":
      for (const name of namesIn(params.at(-1))) people.offline(name);
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
