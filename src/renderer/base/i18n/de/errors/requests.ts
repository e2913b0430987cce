import type { ErrorWords } from "../../error-words.ts";

export const requestErrors = {
  BAD_INPUT: {
    cause: "Ein Wert der Anfrage hat die falsche Form.",
    help: "Ändern Sie, was genannt ist, und versuchen Sie es noch einmal.",
  },
  UNAUTHORIZED: {
    cause: "Die Anfrage trägt keinen oder einen falschen Schlüssel.",
    help: "Öffnen Sie Patchbay noch einmal über seinen eigenen Link.",
  },
  FORBIDDEN: {
    cause: "Die Anfrage kam von einer Seite oder einem Rechner, dem Patchbay nicht traut.",
    help: "Benutzen Sie die Adresse, die `patchbay serve` ausgegeben hat.",
  },
  CONFIRMATION_NEEDED: {
    cause: "Das geschieht nur, wenn der Mensch an diesem Rechner es bestätigt.",
    help: "Geben Sie den Code ein, den Patchbay in seinem Terminal zeigt, oder die Passphrase der Geheimnisse.",
  },
  CONFIRMATION_WRONG: {
    cause: "Das ist nicht der Code oder die Passphrase, nach der gefragt wurde.",
    help: "Sehen Sie im Terminal nach, in dem Patchbay läuft; der neueste Code gilt.",
  },
  CONFIRMATION_LOCKED: {
    cause: "Zu oft wurde ein falscher Code eingegeben.",
    help: "Warten Sie, bis es einen neuen Code gibt.",
  },
  NOT_FOUND: { cause: "Unter dieser Adresse ist nichts.", help: "Prüfen Sie die Adresse." },
  PAYLOAD_TOO_LARGE: {
    cause: "Die Anfrage ist größer, als Patchbay annimmt.",
    help: "Schicken Sie weniger auf einmal.",
  },
  RATE_LIMITED: {
    cause: "Zu viele Anfragen kamen in kurzer Zeit.",
    help: "Warten Sie eine Minute und schicken Sie weniger.",
  },
  STALE_REVISION: {
    cause: "Inzwischen hat jemand eine neuere Fassung gespeichert.",
    help: "Sehen Sie sich beide Fassungen an und speichern Sie noch einmal.",
  },
  ABORTED: {
    cause: "Es wurde auf Wunsch angehalten.",
    help: "Starten Sie es noch einmal, wenn Sie es noch wollen.",
  },
  SHUTTING_DOWN: { cause: "Patchbay wird gerade beendet.", help: "Starten Sie Patchbay noch einmal." },
  INTERNAL: {
    cause: "Patchbay hat einen Fehler gemacht.",
    help: "Kopieren Sie die technischen Einzelheiten und melden Sie den Fehler.",
  },
  AGENT_NOT_FOUND: {
    cause: "Es gibt keinen Agenten mit diesem Namen.",
    help: "Wählen Sie einen aus der Liste der Agenten.",
  },
  AGENT_EXISTS: {
    cause: "Einen Agenten mit diesem Namen gibt es schon.",
    help: "Wählen Sie einen anderen Namen.",
  },
  PLUGIN_NOT_FOUND: {
    cause: "Dieses Plugin ist nicht installiert.",
    help: "Installieren Sie es zuerst, oder prüfen Sie seinen Schlüssel.",
  },
  JOB_NOT_FOUND: {
    cause: "Diese Installation steht nicht mehr in der Liste.",
    help: "Starten Sie sie noch einmal.",
  },
  BREAKPOINT_NOT_FOUND: {
    cause: "Diesen Haltepunkt gibt es nicht mehr.",
    help: "Sehen Sie noch einmal in die Liste der Haltepunkte.",
  },
  PAUSE_NOT_FOUND: {
    cause: "Dort steht nichts mehr still: der Durchgang ging weiter oder wurde beendet.",
    help: "Sehen Sie noch einmal in die Unterhaltung.",
  },
  PAUSE_MISFIT: {
    cause: "Die Angabe passt nicht zu dem, woran der Durchgang angehalten ist.",
    help: "Ändern Sie, was genannt ist, und lassen Sie ihn weiterlaufen.",
  },
  CONDITION_INVALID: {
    cause: "Die Bedingung eines Haltepunkts ist nicht zu lesen.",
    help: "Berichtigen Sie sie an der Stelle, die bezeichnet ist.",
  },
  TURN_NOT_FOUND: {
    cause: "Von diesem Durchgang gibt es keine Aufzeichnung; vielleicht musste sie Platz machen.",
    help: "Wählen Sie einen Durchgang aus der Liste der Unterhaltung.",
  },
  SESSION_NOT_FOUND: {
    cause: "Es gibt keine Unterhaltung mit dieser Kennung.",
    help: "Beginnen Sie eine neue.",
  },
  ENTRY_NOT_FOUND: {
    cause: "Diesen Eintrag gibt es in der Unterhaltung nicht.",
    help: "Öffnen Sie ihren Baum noch einmal und wählen Sie einen, der da ist.",
  },
  SESSION_EXISTS: {
    cause: "Es gibt eine andere Unterhaltung mit derselben Kennung.",
    help: "Nichts wurde überschrieben. Löschen Sie die vorhandene, wenn Sie die andere zurückhaben möchten.",
  },
  REMOVED_NOT_FOUND: {
    cause: "Das ist nicht mehr aufbewahrt: Es wurde wiederhergestellt oder endgültig gelöscht.",
    help: "Sehen Sie in der Liste unter „Entfernt“ nach.",
  },
  TOOL_NOT_FOUND: {
    cause: "Kein laufendes Plugin bietet diesem Agenten das Werkzeug an.",
    help: "Sehen Sie sich die Werkzeuge des Agenten an; schalten Sie das Plugin ein.",
  },
  COMMAND_NOT_FOUND: {
    cause: "Diesen Befehl gibt es für diesen Agenten nicht.",
    help: "Tippen Sie /help für die Liste.",
  },
  NOT_THE_OWNER: {
    cause:
      "Jemand, den die Einstellungen des Kanals nicht als Besitzer nennen, wollte tun, was nur Besitzer dürfen.",
    help: "Entscheiden Sie es in Patchbay, oder tragen Sie die Person in den Einstellungen des Kanals als Besitzer ein.",
  },
  NOT_LET_IN: {
    cause: "Ein Kanal brachte eine Nachricht von jemandem, den niemand eingelassen hat.",
    help: "Lassen Sie die Person auf der Seite des Kanals unter Personen ein, oder nennen Sie sie in seinen Einstellungen.",
  },
  OTHER_ROOM: {
    cause: "Ein Kanal sagte, dass eine Unterhaltung zu einem anderen Raum gehöre als bisher.",
    help: "Nichts davon wurde beantwortet. Fragen Sie, wer das Plugin geschrieben hat; eine Unterhaltung bleibt in dem Raum, in dem sie begann.",
  },
  PERSON_NOT_FOUND: {
    cause: "Niemand mit diesem Code oder dieser Kennung wartet oder steht auf der Liste.",
    help: "Codes gelten eine Stunde und nur in dem Kanal, in dem sie genannt wurden. Die Seite des Kanals zeigt, wer wartet.",
  },
  DECIDING_NOT_GRANTED: {
    cause: "Niemand hat erlaubt, dass aus den Chats dieses Kanals über wartende Aufrufe entschieden wird.",
    help: "Entscheiden Sie in Patchbay, oder erlauben Sie das Entscheiden aus Chats auf der Seite des Kanals.",
  },
  NOT_SHOWN_WHOLE: {
    cause:
      "Der Aufruf ist zu lang, um ganz in einem Chat zu stehen; darum kann er dort nicht erlaubt werden.",
    help: "Sehen Sie ihn sich in Patchbay an und entscheiden Sie dort. Ablehnen geht auch im Chat.",
  },
  MESSAGE_NOT_SENT: {
    cause: "Der Kanal konnte die Nachricht nicht zustellen.",
    help: "Sehen Sie in der Aktivität des Kanals nach; sein Protokoll sagt mehr.",
  },
  VOICE_UNAVAILABLE: {
    cause: "Für diesen Agenten ist kein Sprachdienst eingerichtet.",
    help: "Nennen Sie einen unter „Agent bearbeiten“, oder mit `patchbay agent voice`.",
  },
  VOICE_FAILED: {
    cause: "Der Sprachdienst hat nicht getan, worum er gebeten wurde.",
    help: "Prüfen Sie seine Adresse, sein Modell und seinen Schlüssel in den Einstellungen des Agenten.",
  },
  APPROVAL_NOT_FOUND: {
    cause: "Diese Frage ist nicht mehr offen.",
    help: "Sehen Sie im Verlauf der Freigaben nach.",
  },
  DIALOG_NOT_FOUND: { cause: "Diese Frage ist nicht mehr offen.", help: "Es bleibt nichts zu tun." },
  SECRET_NOT_FOUND: { cause: "Es gibt kein Geheimnis mit diesem Namen.", help: "Speichern Sie es zuerst." },
} satisfies Partial<ErrorWords>;
