import type { Part } from "../../server/server-file.ts";
import type { HandedOver } from "./handed-over.ts";
import { isSecret, isSecretName, looksSecret } from "./secrets.ts";

/** The arguments of a program as parts, with secrets and variables as settings. */
export function argumentsAsParts(args: readonly string[], over: HandedOver): Part[] {
  const parts: Part[] = [];
  let option: string | null = null;
  for (const arg of args) {
    const before: string | null = option;
    option = /^--?[A-Za-z][\w-]*$/.test(arg) ? arg.replace(/^-+/, "") : null;
    parts.push(argumentAsPart(arg, before, over));
  }
  return parts;
}

function argumentAsPart(arg: string, option: string | null, over: HandedOver): Part {
  const [, given, value] = /^(-{0,2}[A-Za-z][\w.-]*=)(.+)$/s.exec(arg) ?? [];
  if (given !== undefined && value !== undefined) {
    const name = given.replace(/^-+|=$/g, "");
    return { join: [given, valueAsPart(value, name, over, isSecret(name, value))] };
  }
  const header = /^([A-Za-z][\w-]*:\s*)(\S.*)$/s.exec(arg);
  if (header?.[1] && header[2] && option !== null && /^(?:h|header)s?$/i.test(option))
    return { join: [header[1], headerAsPart(header[1].replace(/:\s*$/, ""), header[2], over)] };
  if (option !== null && isSecretName(option) && !arg.startsWith("-"))
    return valueAsPart(arg, option, over, isSecret(option, arg));
  return valueAsPart(arg, option ?? "argument", over, looksSecret(arg));
}

/** A text that is a secret as a whole, or has variables in it. Where it has some, the rest of it is no secret. */
export function valueAsPart(text: string, name: string, over: HandedOver, secret: boolean): Part {
  if (over.hasVariables(text)) return over.part(text, name);
  if (!secret) return text;
  if (name === "argument") over.notes.push({ code: "secret_argument", what: name });
  return over.secret(name, text);
}

/** `Bearer abc`: the scheme stays, what follows is the secret. */
export function headerAsPart(name: string, text: string, over: HandedOver): Part {
  const [, scheme = "", value = text] = /^((?:Bearer|Basic|Token|ApiKey)\s+)(.+)$/is.exec(text) ?? [];
  const secret = isSecret(name, value) || scheme !== "";
  const part = valueAsPart(value, name, over, secret);
  return scheme === "" ? part : { join: [scheme, part] };
}
