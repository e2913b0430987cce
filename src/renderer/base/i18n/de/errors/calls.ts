import type { ErrorWords } from "../../error-words.ts";

export const callErrors = {
  ARGUMENTS_INVALID: {
    cause: "Die Argumente passen nicht zu dem, was das Werkzeug verlangt.",
    help: "Sehen Sie nach, was das Werkzeug nimmt: `patchbay tool list --json` oder die Seite Debug.",
  },
  TOOL_FAILED: {
    cause: "Das Werkzeug lief und ist fehlgeschlagen.",
    help: "Versuchen Sie andere Argumente; das Protokoll seines Plugins sagt vielleicht mehr.",
  },
  TOOL_TIMEOUT: {
    cause: "Das Werkzeug brauchte länger als seine Zeitgrenze.",
    help: "Versuchen Sie es noch einmal, oder heben Sie die Grenze.",
  },
  TOOL_DENIED: {
    cause: "Die Regeln des Agenten verbieten dieses Werkzeug.",
    help: "Ändern Sie die Regeln des Agenten, wenn Sie es erlauben wollen.",
  },
  TOOL_VETOED: {
    cause: "Ein Haken hat den Aufruf gesperrt.",
    help: "Sehen Sie sich die Einstellungen des Plugins an, das gesperrt hat.",
  },
  TOOL_REJECTED: {
    cause: "Der Aufruf wurde nicht freigegeben.",
    help: "Fragen Sie noch einmal, oder erlauben Sie ihn.",
  },
  HOOK_BLOCKED: {
    cause: "Ein Haken, der zustimmen muss, hat versagt; darum wurde angehalten, worüber er wacht.",
    help: "Sehen Sie sich Protokoll und Einstellungen des genannten Plugins an.",
  },
  TURN_LIMIT: {
    cause: "Der Zug wurde beendet, weil er zu lange ohne Antwort lief.",
    help: "Schicken Sie noch eine Nachricht, oder heben Sie die Grenze des Agenten.",
  },
  EVENT_UNKNOWN: {
    cause: "Es gibt kein Ereignis mit diesem Namen.",
    help: "Wählen Sie einen der Namen aus der Dokumentation.",
  },
  HOOK_FAILED: {
    cause: "Der Haken eines Plugins lief und ist fehlgeschlagen.",
    help: "Sehen Sie ins Protokoll des Plugins.",
  },
  HOOK_TIMEOUT: {
    cause: "Der Haken eines Plugins brauchte länger als seine Zeitgrenze.",
    help: "Sehen Sie ins Protokoll des Plugins; heben Sie die Grenze, wenn es von Natur aus langsam ist.",
  },
  COMMAND_TIMEOUT: {
    cause: "Der Befehl brauchte länger als seine Zeitgrenze.",
    help: "Versuchen Sie es noch einmal, oder heben Sie die Grenze.",
  },
  COMMAND_FAILED: {
    cause: "Der Befehl lief und ist fehlgeschlagen.",
    help: "Versuchen Sie es anders; das Protokoll seines Plugins sagt vielleicht mehr.",
  },
  CALL_UNSUPPORTED: {
    cause: "Plugins dieses Systems bieten nicht an, was von diesem verlangt wurde.",
    help: "Verwenden Sie, was das Plugin anbietet; seine Seite führt es auf.",
  },
  MODEL_NOT_SET: { cause: "Der Agent hat kein Modell.", help: "Wählen Sie ein Modell für den Agenten." },
  MODEL_KEY_REFUSED: {
    cause: "Der Anbieter des Modells hat den Schlüssel abgelehnt.",
    help: "Speichern Sie einen gültigen Schlüssel.",
  },
  MODEL_UNREACHABLE: {
    cause: "Der Anbieter des Modells hat nicht geantwortet.",
    help: "Prüfen Sie die Adresse und das Netz.",
  },
  MODEL_FAILED: {
    cause: "Der Anbieter des Modells hat mit einem Fehler geantwortet.",
    help: "Versuchen Sie es noch einmal. Bleibt es dabei, versuchen Sie ein anderes Modell, oder fragen Sie den Anbieter.",
  },
  SCRIPT_INVALID: {
    cause: "Das Drehbuch des Modells lässt sich nicht lesen.",
    help: "Berichtigen Sie die genannte Zeile.",
  },
} satisfies Partial<ErrorWords>;
