import type { Language } from "../../../contract/index.ts";

/** Why a voice note was not heard or an answer not spoken, in words that follow a colon. `{n}`: a number. */
const english = {
  refusedKey: "the speech service refused its key",
  unknownPlace: "the speech service is not at its address, or does not know its model",
  tooLarge: "the speech service does not take recordings of this size",
  tooOften: "the speech service is asked too often at the moment",
  broken: "the speech service has a problem of its own ({n})",
  elsewhere: "the speech service sends Patchbay to another address",
  refused: "the speech service refused the request ({n})",
  unanswered: "the speech service did not answer",
  late: "the speech service took too long",
  brokenOff: "the speech service broke off its answer",
  tooMuch: "the speech service answered with too much",
  odd: "the speech service did not answer as expected",
  noSound: "the speech service answered with something that is no sound",
  silence: "the speech service understood nothing in it",
  keyless: "the speech service has no key in the vault",
  itself: "the speech service is Patchbay itself",
  failed: "the speech service failed",
  tooLong: "it is longer than {n} min",
  tooMany: "only {n} of one message are listened to",
  format: "it is in a format that speech services do not read",
};

export type Trouble = keyof typeof english;

const german: Record<Trouble, string> = {
  refusedKey: "der Sprachdienst nimmt seinen Schlüssel nicht an",
  unknownPlace: "der Sprachdienst ist nicht unter seiner Adresse, oder er kennt sein Modell nicht",
  tooLarge: "der Sprachdienst nimmt keine Aufnahmen dieser Größe",
  tooOften: "der Sprachdienst wird gerade zu oft gefragt",
  broken: "der Sprachdienst hat selbst ein Problem ({n})",
  elsewhere: "der Sprachdienst schickt Patchbay zu einer anderen Adresse",
  refused: "der Sprachdienst hat die Anfrage abgelehnt ({n})",
  unanswered: "der Sprachdienst hat nicht geantwortet",
  late: "der Sprachdienst hat zu lange gebraucht",
  brokenOff: "der Sprachdienst hat seine Antwort abgebrochen",
  tooMuch: "der Sprachdienst hat mit zu viel geantwortet",
  odd: "der Sprachdienst hat anders geantwortet als erwartet",
  noSound: "was der Sprachdienst geantwortet hat, ist kein Ton",
  silence: "der Sprachdienst hat darin nichts verstanden",
  keyless: "der Sprachdienst hat keinen Schlüssel im Tresor",
  itself: "der Sprachdienst ist Patchbay selbst",
  failed: "der Sprachdienst ist gescheitert",
  tooLong: "sie ist länger als {n} min",
  tooMany: "von einer Nachricht werden nur {n} angehört",
  format: "Sprachdienste lesen ihr Format nicht",
};

const words = {
  en: { why: english, sorry: "I could not listen to your voice note: {why}." },
  de: { why: german, sorry: "Die Sprachnachricht konnte ich nicht anhören: {why}." },
} satisfies Record<Language, unknown>;

/** Why something did not work, in words that follow a colon. */
export function troubleWords(language: Language, why: Trouble, n?: number): string {
  return words[language].why[why].replace("{n}", String(n));
}

/** What somebody is told whose voice note could not be heard; `reasons` come from {@link troubleWords}. */
export function sorryWords(language: Language, reasons: Iterable<string>): string {
  return words[language].sorry.replace("{why}", () => [...reasons].join("; "));
}
