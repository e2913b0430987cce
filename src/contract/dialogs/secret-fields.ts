import type { DialogAnswer, DialogQuestion } from "./dialog.ts";

/** Words of a field's name or title that say that it wants a secret. */
const secretWords = new Set([
  ...["password", "passwd", "passphrase", "passcode", "pwd", "pin", "otp", "cvv", "cvc"],
  ...["secret", "secrets", "token", "tokens", "key", "keys", "apikey", "credential", "credentials"],
  ...["passwort", "kennwort", "geheimnis", "schlüssel", "zugangsdaten"],
]);
/** The same in a sentence, where a plain `key` or `token` may mean something else. */
const inSentence =
  /pass(?:word|phrase|code|wort)|kennwort|(?:api|access|secret|private)[ _-]?keys?\b|access[ _-]?token|credentials/i;

/** A form by which a plugin seems to ask for a secret. Plugins may not: secrets go through their settings, into the vault. */
export function asksForSecret(question: DialogQuestion): boolean {
  if (question.kind !== "form") return false;
  if (question.fields.length > 0 && inSentence.test(question.message)) return true;
  return question.fields.some(({ name, title }) => [...wordsOf(name), ...wordsOf(title)].some(isSecret));
}

function isSecret(word: string): boolean {
  return secretWords.has(word) || /^(?:api|access|auth|private|secret)(?:key|token)$|passwor[dt]$/.test(word);
}

/** `apiKey`, `API_KEY` and `API key` are the words `api` and `key`. */
function wordsOf(text: string): string[] {
  return text
    .normalize("NFKC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Whether the answer is kept nowhere: it is a secret, or may be one. */
export function isSecretAnswer(question: DialogQuestion, answer: DialogAnswer): boolean {
  if (answer === null) return false;
  if (question.kind === "text") return question.secret === true;
  return (
    typeof answer === "object" && "action" in answer && answer.action === "accept" && asksForSecret(question)
  );
}
