import { nearNames } from "../../contract/shown/near-names.ts";

/** A blank of Unicode, or a control character, which acts as one. */
const blank = /[\s\p{White_Space}\p{Cc}]/u;
const shape = /^\/([^\s\p{White_Space}\p{Cc}]*)(.*)$/su;

/** The name and the arguments in `/name arguments`: without blanks around them, those inside of the arguments kept. */
export function commandIn(text: string): { name: string; args: string } {
  const [, name = "", rest = ""] = shape.exec(text) ?? [];
  return { name, args: withoutOuterBlanks(rest) };
}

/** A loop and no pattern: a pattern for the end takes long where many blanks stand inside. */
function withoutOuterBlanks(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && blank.test(text.charAt(begin))) begin += 1;
  while (end > begin && blank.test(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}

/** The entry with exactly this name; where there is none, the first that has it in other case. */
export function called<T extends { name: string }>(entries: readonly T[], name: string): T | undefined {
  const folded = name.toLowerCase();
  return (
    entries.find((entry) => entry.name === name) ??
    entries.find((entry) => entry.name.toLowerCase() === folded)
  );
}

/** The name that is nearly the one that was typed; undefined when none is near. */
export function nearTo(name: string, entries: readonly { name: string }[]): string | undefined {
  const named = entries.map((entry) => ({ displayName: entry.name, packageName: "" }));
  return nearNames(name, named, 1)[0]?.displayName;
}
