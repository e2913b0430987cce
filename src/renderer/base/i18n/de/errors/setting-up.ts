import type { ErrorWords } from "../../error-words.ts";

export const setupErrors = {
  START_FAILED: {
    cause: "Das Plugin konnte nicht starten.",
    help: "Sehen Sie ins Protokoll; berichtigen Sie die Einstellungen oder aktualisieren Sie das Plugin.",
  },
  START_TIMEOUT: {
    cause: "Das Plugin ist nicht rechtzeitig fertig gestartet.",
    named: "{plugin} ist nicht rechtzeitig fertig gestartet.",
    help: "Versuchen Sie es noch einmal; heben Sie die Zeitgrenze, wenn es von Natur aus langsam ist.",
  },
  PROTOCOL_UNSUPPORTED: {
    cause: "Der Server spricht eine andere Fassung von MCP als Patchbay.",
    help: "Suchen Sie nach einer neuen Version des Servers oder von Patchbay.",
  },
  SERVER_UNREACHABLE: {
    cause: "Der Server hat nicht geantwortet.",
    help: "Prüfen Sie Netz und Adresse; es wird von selbst noch einmal versucht.",
  },
  HOST_CRASHED: {
    cause: "Der Prozess des Plugins ist beendet.",
    help: "Er wird von selbst wieder gestartet. Sehen Sie ins Protokoll, wenn es so weitergeht.",
  },
  NOT_RESPONDING: {
    cause: "Der Prozess des Plugins antwortet nicht mehr.",
    named: "{plugin} antwortet nicht mehr.",
    help: "Er wird beendet und von selbst wieder gestartet.",
  },
  QUARANTINED: {
    cause: "Das Plugin ist zu oft abgestürzt.",
    help: "Sehen Sie ins Protokoll, dann starten Sie es noch einmal.",
  },
  PLUGIN_REPORTED: {
    cause: "Das Plugin hat ein eigenes Problem gemeldet.",
    help: "Sehen Sie sich sein Protokoll und seine Einstellungen an.",
  },
  PLUGIN_NOT_RUNNING: {
    cause: "Das Plugin läuft für diesen Agenten nicht.",
    help: "Schalten Sie es ein, oder sehen Sie nach, warum es nicht gestartet ist.",
  },
  PLUGIN_FILES_CHANGED: {
    cause: "Die Dateien des Plugins wurden nach der Installation geändert.",
    help: "Installieren Sie es noch einmal.",
  },
  KEY_CHANGED_HANDS: {
    cause: "Der Schlüssel des Plugins gehört jetzt einem anderen Paket, darum ist es aus.",
    named: "{plugin} ist aus: Sein Schlüssel gehörte {before}, jetzt gehört er {now}.",
    help: "Sehen Sie nach, woher es kommt, richten Sie es ein, und schalten Sie es ein, wenn Sie es wollen.",
  },
  WALLS_MISSING: {
    cause: "Nichts auf diesem Rechner setzt durch, was Plugins erlaubt ist. Darum starten sie nicht.",
    help: "Installieren Sie, was fehlt, oder entscheiden Sie unter Einstellungen, Wenn etwas nicht stimmt, Plugins ohne Wände laufen zu lassen.",
  },
  WATCHER_LOST: {
    cause:
      "Das Programm, mit dem Patchbay sieht, was Plugins versuchen, hat von selbst geendet oder wurde beendet.",
    help: "Was es beobachtet hat, wurde mit ihm beendet: Plugins starten von selbst wieder, von einem neuen beobachtet. Programme, die sie gestartet hatten, müssen neu gestartet werden.",
  },
  HELD_OFF: {
    cause: "Das Plugin ist eingeschaltet, wird aber vorerst ausgelassen.",
    help: "Verlassen Sie den abgesicherten Modus, oder beenden Sie die Suche nach dem Plugin, das ein Problem verursacht.",
  },
  NO_SETUP: { cause: "An diesem Plugin gibt es nichts einzurichten.", help: "Schalten Sie es ein." },
  SETUP_NOT_FOUND: {
    cause: "Diese Einrichtung ist vorbei.",
    help: "Öffnen Sie die Einrichtung noch einmal.",
  },
  SETUP_STALE: {
    cause: "Die Antwort gehört zu einem Schritt, der vorbei ist.",
    help: "Sehen Sie sich den Schritt an, der jetzt gezeigt wird.",
  },
  SETUP_EXPIRED: {
    cause: "Zu lange geschah nichts, darum wurde die Einrichtung beendet. Nichts wurde gespeichert.",
    help: "Beginnen Sie noch einmal.",
  },
  SETUP_INTERRUPTED: {
    cause: "Patchbay wurde mitten in der Einrichtung geschlossen. Nichts wurde gespeichert.",
    help: "Beginnen Sie noch einmal.",
  },
  SETUP_FAILED: {
    cause: "Die Einrichtung des Plugins ist fehlgeschlagen. Nichts wurde gespeichert.",
    help: "Beginnen Sie sie noch einmal; das Protokoll des Plugins sagt vielleicht mehr.",
  },
  SETUP_INVALID: {
    cause:
      "Die Einrichtung des Plugins hat etwas geantwortet, das Patchbay nicht annimmt. Nichts wurde gespeichert.",
    help: "Wer es gemacht hat, muss das berichtigen; suchen Sie nach einer Aktualisierung.",
  },
  SETUP_TIMEOUT: {
    cause: "Die Einrichtung des Plugins hat nicht rechtzeitig geantwortet.",
    help: "Versuchen Sie es noch einmal.",
  },
  SIGN_IN_DENIED: {
    cause: "Die Anmeldung wurde auf der Seite des Anbieters abgelehnt.",
    help: "Melden Sie sich noch einmal an und erlauben Sie es, oder brechen Sie ab.",
  },
  SIGN_IN_FAILED: {
    cause: "Der Anbieter hat die Anmeldung abgelehnt.",
    help: "Melden Sie sich noch einmal an, mit einem anderen Konto, wenn dieses nicht darf.",
  },
  SIGN_IN_TIMEOUT: {
    cause: "Der Browser kam von der Anmeldung nicht zurück.",
    help: "Öffnen Sie die Seite noch einmal, oder benutzen Sie einen Code.",
  },
  PROVIDER_UNREACHABLE: {
    cause: "Der Anbieter der Anmeldung hat nicht geantwortet.",
    help: "Prüfen Sie das Netz und versuchen Sie es noch einmal.",
  },
  PROVIDER_FAILED: {
    cause: "Der Anbieter der Anmeldung hat etwas geantwortet, das keine Anmeldung ist.",
    help: "Versuchen Sie es später; sagen Sie es dem, der das Plugin gemacht hat, wenn es so weitergeht.",
  },
  BACKUP_INVALID: {
    cause: "Die Datei ist keine Sicherung von Geheimnissen, oder die Passphrase ist eine andere.",
    help: "Prüfen Sie Datei und Passphrase.",
  },
  UNLOCK_PAUSED: {
    cause: "Zu viele falsche Passphrasen wurden versucht.",
    named: "Nach {failed} falschen Passphrasen geht es in {seconds} s weiter.",
    help: "Warten Sie, und versuchen Sie es noch einmal.",
  },
  PASSPHRASE_WRONG: {
    cause: "Die gespeicherten Geheimnisse wurden mit einer anderen Passphrase verschlossen.",
    named: "Das ist nicht die Passphrase der gespeicherten Geheimnisse.",
    help: "Tippen Sie sie noch einmal; achten Sie auf Großschreibung und Leerzeichen.",
  },
  NAME_CLASH: { cause: "Zwei Plugins bieten denselben Namen an.", help: "Schalten Sie eines davon aus." },
  TOO_MANY_TOOLS: {
    cause: "Das Plugin bietet mehr als 64 Werkzeuge an.",
    help: "Wer es gemacht hat, muss weniger anbieten.",
  },
  PROGRAM_MISSING: {
    cause: "Das Plugin braucht ein Programm, das auf diesem Rechner fehlt.",
    help: "Installieren Sie das genannte Programm und versuchen Sie es noch einmal.",
  },
} satisfies Partial<ErrorWords>;
