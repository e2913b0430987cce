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
  TOOL_HELD: {
    cause: "Was das Plugin über das Werkzeug sagt, ist nicht das, dem Sie zugestimmt haben.",
    help: "Sehen Sie auf der Seite des Plugins an, was es jetzt sagt.",
  },
  TOOL_OFF: {
    cause: "Das Werkzeug ist für den Agenten ausgeschaltet.",
    help: "Schalten Sie es auf der Seite des Plugins ein.",
  },
  TOOL_VETOED: {
    cause: "Ein Hook hat den Aufruf gesperrt.",
    help: "Sehen Sie sich die Einstellungen des Plugins an, das gesperrt hat.",
  },
  TOOL_REJECTED: {
    cause: "Der Aufruf wurde nicht freigegeben.",
    help: "Fragen Sie noch einmal, oder erlauben Sie ihn.",
  },
  TOOL_ASKS: {
    cause: "Das Werkzeug fragt vor jedem Aufruf, und hier wird niemand gefragt.",
    named: "{tool} fragt vor jedem Aufruf, und {program} kann Ihnen die Frage nicht zeigen.",
    help: "Erlauben Sie das Werkzeug erst ohne Rückfrage, auf der Seite „Werkzeuge“ des Agenten.",
  },
  HOST_NOT_ALLOWED: {
    cause: "Das Plugin darf den Host, um den es ging, nicht erreichen.",
    named: "{plugin} darf {host} noch nicht erreichen.",
    help: "Fügen Sie den Host im Gespräch oder in den Einstellungen des Plugins hinzu, wenn er erreicht werden darf.",
  },
  HOOK_BLOCKED: {
    cause: "Ein Hook, der zustimmen muss, hat versagt; darum wurde angehalten, worüber er wacht.",
    help: "Sehen Sie sich Protokoll und Einstellungen des genannten Plugins an.",
  },
  TURN_LIMIT: {
    cause: "Die Antwort wurde abgebrochen, weil sie zu lange ausblieb.",
    help: "Schicken Sie noch eine Nachricht, oder heben Sie die Grenze des Agenten.",
  },
  REPLAY_NO_ANSWER: {
    cause: "Der Durchgang kam zu etwas, worauf die Aufzeichnung keine Antwort hat.",
    help: "Sehen Sie nach, was davor anders ist, oder lassen Sie Werkzeuge oder Modell wirklich fragen.",
  },
  REPLAY_NOT_FOUND: {
    cause: "Diese Wiederholung gibt es nicht mehr; nur die neuesten bleiben.",
    help: "Lassen Sie den Durchgang noch einmal laufen.",
  },
  REPLAY_FILE_INVALID: {
    cause: "Das ist kein als Test behaltener Durchgang, oder die Datei wurde beschädigt.",
    help: "Behalten Sie den Durchgang noch einmal als Test.",
  },
  EVENT_UNKNOWN: {
    cause: "Es gibt kein Ereignis mit diesem Namen.",
    help: "Wählen Sie einen der Namen aus der Dokumentation.",
  },
  HOOK_FAILED: {
    cause: "Der Hook eines Plugins lief und ist fehlgeschlagen.",
    help: "Sehen Sie ins Protokoll des Plugins.",
  },
  HOOK_TIMEOUT: {
    cause: "Der Hook eines Plugins brauchte länger als seine Zeitgrenze.",
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
  PROMPT_HELD: {
    cause: "Was das Plugin über die Vorlage sagt, ist nicht das, dem Sie zugestimmt haben.",
    named: "{command} wird zurückgehalten: {plugin} sagt darüber etwas, dem Sie nicht zugestimmt haben.",
    help: "Sehen Sie auf der Seite des Plugins an, was es jetzt sagt.",
  },
  PROMPT_INCOMPLETE: {
    cause: "Der Vorlage fehlt etwas, das sie braucht.",
    help: "Schreiben Sie das Fehlende hinter den Befehl, als Name=Wert.",
    named: "{command} fehlt: {missing}.",
  },
  RESOURCE_UNREADABLE: {
    cause: "Das Angehängte lässt sich nicht lesen.",
    help: "Nehmen Sie es heraus, oder sehen Sie ins Protokoll seines Plugins. Gesendet wurde nichts.",
    named: "„{resource}“ von {plugin} lässt sich nicht lesen.",
  },
  CALL_UNSUPPORTED: {
    cause: "Plugins dieses Systems bieten nicht an, was von diesem verlangt wurde.",
    help: "Verwenden Sie, was das Plugin anbietet; seine Seite führt es auf.",
  },
  MODEL_NOT_SET: { cause: "Der Agent hat kein Modell.", help: "Wählen Sie ein Modell für den Agenten." },
  MODEL_KEY_REFUSED: {
    cause: "Der Anbieter des Modells hat den Schlüssel abgelehnt.",
    help: "Speichern Sie einen gültigen Schlüssel.",
    named: "{provider} hat den Schlüssel für {model} abgelehnt.",
  },
  MODEL_UNREACHABLE: {
    cause: "Der Anbieter des Modells hat nicht geantwortet.",
    help: "Prüfen Sie die Adresse und das Netz.",
    named: "{provider} hat nicht geantwortet.",
  },
  MODEL_BUSY: {
    cause: "Der Anbieter des Modells nimmt im Moment keine Anfragen mehr an.",
    help: "Warten Sie ein wenig und versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.",
    named: "{provider} nimmt im Moment keine Anfragen mehr an.",
  },
  MODEL_NO_CREDIT: {
    cause: "Das Konto beim Anbieter des Modells hat kein Guthaben mehr.",
    help: "Laden Sie beim Anbieter Guthaben auf, oder wählen Sie ein anderes Modell.",
    named: "Das Konto bei {provider} hat kein Guthaben mehr.",
  },
  MODEL_NOT_FOUND: {
    cause: "Der Anbieter kennt das Modell nicht.",
    help: "Wählen Sie ein anderes Modell, oder berichtigen Sie die Adresse.",
    named: "{provider} kennt das Modell {model} nicht.",
  },
  MODEL_CONTEXT_FULL: {
    cause: "Die Unterhaltung ist länger, als das Modell lesen kann.",
    help: "Fassen Sie die Unterhaltung zusammen und versuchen Sie es noch einmal, oder wählen Sie ein Modell, das mehr liest.",
    named: "Die Unterhaltung ist zu lang für {model}.",
  },
  MODEL_WITHHELD: {
    cause: "Der Anbieter des Modells hält die Antwort ihres Inhalts wegen zurück.",
    help: "Schreiben Sie es anders, oder wählen Sie ein anderes Modell.",
    named: "{provider} hält die Antwort ihres Inhalts wegen zurück.",
  },
  MODEL_BROKEN: {
    cause: "Beim Anbieter des Modells ist etwas gestört.",
    help: "Versuchen Sie es gleich noch einmal. Bleibt es dabei, wählen Sie ein anderes Modell.",
    named: "Bei {provider} ist etwas gestört.",
  },
  MODEL_CUT: {
    cause: "Die Verbindung zum Modell brach ab, bevor die Antwort vollständig war.",
    help: "Versuchen Sie es noch einmal.",
    named: "Die Verbindung zu {provider} brach ab, bevor die Antwort vollständig war.",
  },
  MODEL_EMPTY: {
    cause: "Das Modell hat leer geantwortet.",
    help: "Versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.",
    named: "{model} hat leer geantwortet.",
  },
  MODEL_CALLED_NOTHING: {
    cause: "Das Modell hat geantwortet, ohne das Werkzeug aufzurufen.",
    help: "Versuchen Sie es noch einmal, oder wählen Sie ein Modell, das Werkzeuge aufrufen kann.",
  },
  MODEL_NOT_A_MODEL: {
    cause: "Unter der Adresse des Modells antwortet kein Modell.",
    help: "Berichtigen Sie die Adresse des Modells.",
    named: "Unter {baseUrl} antwortet kein Modell.",
  },
  MODEL_FAILED: {
    cause: "Der Anbieter des Modells hat die Anfrage nicht angenommen.",
    help: "Versuchen Sie es noch einmal. Bleibt es dabei, versuchen Sie ein anderes Modell, oder fragen Sie den Anbieter.",
    named: "{model} hat die Anfrage nicht angenommen: {said}",
  },
  NOTHING_TO_RETRY: {
    cause: "Die letzte Nachricht der Unterhaltung ist beantwortet, oder ihre Antwort ist unterwegs.",
    help: "Schreiben Sie eine neue Nachricht.",
  },
  SCRIPT_INVALID: {
    cause: "Das Drehbuch des Modells lässt sich nicht lesen.",
    help: "Berichtigen Sie die genannte Zeile.",
  },
} satisfies Partial<ErrorWords>;
