import { posix } from "node:path";
import { hasOption, type Invocation, operandsOf } from "../shell/unwrap.ts";
import { plainWord, type Word } from "../shell/words.ts";
import { isInside, type Place, pathOf } from "./paths.ts";

/** Why a recursive removal must not run, or null. */
export function removal({ name, args }: Invocation, place: Place): string | null {
  if (name === "find") return findRemoval(args, place);
  if (/^(rd|rmdir|del|erase)$/i.test(name)) return windowsRemoval(args);
  // A command whose name the shell computes could be `rm`, so it is judged as if it were.
  if ((name !== "rm" && name !== "") || !hasOption(args, "rR", "--recursive")) return null;
  if (args.some(({ text }) => text === "--no-preserve-root")) return "it removes / itself";
  return firstDanger(operandsOf(args), place, "removes");
}

/** Why permissions or owners of a whole tree must not change, or null. */
export function treePermissions({ name, args }: Invocation, place: Place): string | null {
  if (!["chmod", "chown", "chgrp"].includes(name) || !hasOption(args, "R", "--recursive")) return null;
  const [, ...targets] = operandsOf(args);
  const foreign = targets.filter((target) => pathOf(target, place) !== place.workspace);
  return firstDanger(foreign, place, "changes the permissions of");
}

function firstDanger(targets: readonly Word[], place: Place, verb: string): string | null {
  for (const target of targets) {
    const danger = dangerOf(target, place);
    if (danger) return `it ${verb} ${danger}`;
  }
  return null;
}

/** Why the loss of this target is worse than the loss of files in the workspace; null when it may be removed. */
function dangerOf(word: Word, place: Place): string | null {
  const path = pathOf(word, place);
  if (path === null) {
    const emptied = /^\$(\{?\w+\}?|\(\))\/*(\.?\*)?$/.test(word.text) && /[/*]$/.test(word.text);
    return emptied ? `${word.text}, which is everything when the variable is empty` : null;
  }
  const { folder, everything } = word.glob ? globFolder(path) : { folder: path, everything: true };
  if (folder === "/" || /^[A-Za-z]:\/?$/.test(folder)) return `/ (${word.text})`;
  if (folder === place.workspace) return everything ? `everything in the workspace (${word.text})` : null;
  if (isInside(folder, place.workspace)) return null;
  if (isInside(place.workspace, folder)) return `a folder that holds the workspace (${word.text})`;
  if (isInside(place.home, folder)) return `the home folder (${word.text})`;
  if (place.temporary.some((temporary) => isInside(folder, temporary) && folder !== temporary)) return null;
  return `${word.text}, which is outside the workspace`;
}

/** The folder before the first part with a wildcard, and whether the wildcard covers all that is in it. */
function globFolder(path: string): { folder: string; everything: boolean } {
  const parts = path.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  if (first === -1) return { folder: path, everything: true };
  const folder = parts.slice(0, first).join("/") || "/";
  return { folder, everything: /^[.*?[\]!]*\*[.*?[\]!]*$/.test(parts[first] ?? "") };
}

/** `rd /s C:\…`: only what is named relative to the current folder may go. */
function windowsRemoval(args: readonly Word[]): string | null {
  if (!args.some(({ text }) => /^\/s$/i.test(text))) return null;
  const target = args.find(({ text }) => /^([A-Za-z]:|%|\\|\.\.|\*)/.test(text));
  return target ? `it removes ${target.text} with everything in it` : null;
}

function findRemoval(args: readonly Word[], place: Place): string | null {
  const action = args.findIndex(({ text }) => /^-(delete|exec|execdir|ok|okdir)$/.test(text));
  const removes = args[action]?.text === "-delete" || posix.basename(args[action + 1]?.text ?? "") === "rm";
  if (action === -1 || !removes) return null;
  const expression = args.findIndex(({ text }) => /^[-!(]/.test(text));
  const starts = args.slice(0, expression);
  const filter = /^-(i?name|i?path|i?regex|[mac](time|min)|newer\w*|size|empty|user)$/;
  const filtered = args.slice(expression, action).some(({ text }) => filter.test(text));
  const risky = (starts.length > 0 ? starts : [plainWord(".")]).filter(
    (start) => !filtered || pathOf(start, place) !== place.workspace,
  );
  return firstDanger(risky, place, "removes");
}
