import type { ChannelApprovalOutcome } from "../../channel-agent.ts";
import type { ChatWords } from "./english.ts";

const outcomes: Record<ChannelApprovalOutcome, string> = {
  allowed: "erlaubt",
  refused: "abgelehnt",
  expired: "abgelaufen, also abgelehnt",
  cancelled: "nicht mehr nötig",
};

export const german: ChatWords = {
  allow: "Erlauben",
  refuse: "Ablehnen",
  asks: (tool, request) => `Der Agent möchte ${tool} benutzen (Anfrage ${request}).`,
  howToAnswer: (request) => `Antworte genehmigen ${request} oder ablehnen ${request}.`,
  tooLongToShow: (request) =>
    `Das ist zu lang, um hier ganz gezeigt zu werden. Erlaube es in Patchbay, oder antworte ablehnen ${request}.`,
  settled: (tool = "Werkzeug", request, outcome) => `Anfrage ${request} (${tool}): ${outcomes[outcome]}.`,
  onlyOwnerDecides: "Das darf nur der Besitzer entscheiden.",
  noOwner:
    "Das darf nur ein Besitzer entscheiden, und hier gibt es noch keinen. Entschieden wird in Patchbay.",
  decidedInPatchbay: "Diese Version von Patchbay entscheidet Anfragen in ihrem eigenen Fenster.",
  oldButton: "Dieser Knopf gilt nicht mehr.",
  stopped(stopped) {
    switch (stopped.kind) {
      case "nothing":
        return "Hier wird gerade nichts beantwortet.";
      case "others":
        return "Anhalten kann das nur, wer gerade an der Reihe ist, oder ein Besitzer.";
      case "stopped": {
        const { running, waiting } = stopped;
        if (waiting === 0) return "Angehalten.";
        const what =
          waiting === 1
            ? "die wartende Nachricht wird nicht beantwortet"
            : `die ${waiting} wartenden Nachrichten werden nicht beantwortet`;
        return running ? `Angehalten, und ${what}.` : `Angehalten: ${what}.`;
      }
    }
  },
  welcome: "Du darfst mir jetzt schreiben.",
  signIn:
    "Ich spreche nur mit Leuten, die hier mit einem Konto angemeldet sind. Melde dich an und schreib dann noch einmal.",
  enough: (bot = "diesem Bot", times) =>
    `Ich habe ${bot} ${times === 1 ? "einmal" : `${times}-mal`} geantwortet, ohne dass ein Mensch dazwischen geschrieben hat. Ich mache weiter, wenn hier ein Mensch schreibt.`,
  noFilesHere: "Dateien können hier nicht gesendet werden",
  couldNotAnswer: "Das konnte ich nicht beantworten. Bitte versuch es später noch einmal.",
  couldNotAnswerBecause: (reason) => `Ich konnte nicht antworten: ${reason}`,
  problems: {
    ABORTED: "Es wurde angehalten.",
    APPROVAL_NOT_FOUND: "Eine Anfrage mit dieser Nummer gibt es nicht.",
    COMMAND_FAILED: "Der Befehl ist fehlgeschlagen.",
    DECIDING_NOT_GRANTED: "Das Entscheiden aus diesen Chats hat niemand erlaubt.",
    MODEL_BROKEN: "Beim Anbieter des Modells ist etwas gestört.",
    MODEL_BUSY:
      "Der Anbieter des Modells nimmt im Moment keine Anfragen mehr an. Versuch es gleich noch einmal.",
    MODEL_CUT: "Die Verbindung zum Modell brach ab, bevor die Antwort vollständig war.",
    MODEL_EMPTY: "Das Modell hat leer geantwortet.",
    MODEL_FAILED: "Der Anbieter des Modells hat die Anfrage nicht angenommen.",
    MODEL_KEY_REFUSED: "Der Anbieter des Modells hat den Schlüssel abgelehnt.",
    MODEL_NOT_A_MODEL: "Unter der Adresse des Modells antwortet kein Modell.",
    MODEL_NOT_FOUND: "Der Anbieter kennt das Modell nicht.",
    MODEL_NOT_SET: "Der Agent hat kein Modell.",
    MODEL_NO_CREDIT: "Das Konto beim Anbieter des Modells hat kein Guthaben mehr.",
    MODEL_UNREACHABLE: "Der Anbieter des Modells hat nicht geantwortet.",
    NOT_SHOWN_WHOLE: "Das ist zu lang, um hier ganz gezeigt zu werden. Erlaube es in Patchbay.",
    NOT_THE_OWNER: "Das darf nur ein Besitzer.",
    PAYLOAD_TOO_LARGE: "Das ist größer, als Patchbay annimmt.",
    PERSON_NOT_FOUND: "Mit diesem Code wartet hier niemand.",
    RATE_LIMITED: "Das war zu oft in kurzer Zeit. Warte zehn Minuten.",
    SHUTTING_DOWN: "Patchbay wird gerade beendet.",
    TURN_LIMIT: "Es lief zu lange ohne Antwort.",
  },
};
