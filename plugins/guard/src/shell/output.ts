import { type Command, parseScript } from "./parse.ts";
import { ansiText, type Word } from "./words.ts";

/** What a script prints, when it is one `echo`, `printf` or `cat` of a here-document whose words are known; else null. */
export function outputOf(source: string, expand: (command: Command) => Command): string | null {
  if (!/^\s*(\S*\/)?(echo|printf|cat)\b/.test(source)) return null;
  const [step, ...more] = parseScript(source);
  if (step?.kind !== "command" || more.length > 0) return null;
  return printed(expand(step.command));
}

/**
 * The texts that may come through a pipe, as far as they are known from the commands before it. Where one of those
 * decodes base64, the texts are decoded.
 */
export function printedBy(upstream: readonly Command[]): string[] {
  let texts: string[] = [];
  for (const command of upstream) {
    if (isDecoder(command)) texts = texts.map((text) => Buffer.from(text, "base64").toString("utf8"));
    const text = printed(command);
    if (text !== null) texts.push(text);
  }
  return texts;
}

function printed({ words: [first, ...args], input }: Command): string | null {
  switch (/[^/]*$/.exec(first?.text ?? "")?.[0]) {
    case "echo":
      return ansiText(joined(args.slice(args.findIndex(({ text }) => !/^-[neE]+$/.test(text)))));
    case "printf":
      return formatted(args.filter(({ text }) => text !== "--"));
    case "cat":
      return args.every(({ text }) => text === "-") ? input : null;
    default:
      return null;
  }
}

/** `printf`: the format with its `%s` filled in, as often as there is something to fill in. */
function formatted([format, ...values]: readonly Word[]): string {
  if (!format) return "";
  const rest = values.map(({ text }) => text);
  let text = "";
  do {
    text += ansiText(format.text).replace(/%(?:%|[-0-9.]*[a-zA-Z])/g, (mark) =>
      mark === "%%" ? "%" : (rest.shift() ?? ""),
    );
  } while (rest.length > 0 && /%[-0-9.]*[a-zA-Z]/.test(format.text));
  return text;
}

function isDecoder({ words: [first, ...args] }: Command): boolean {
  const decodes = args.some(({ text }) => /^(-d|-D|--decode|-di)$/.test(text));
  return decodes && /(^|\/)(base64|openssl)$/.test(first?.text ?? "");
}

function joined(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(" ");
}
