import type { ErrorWords } from "../error-words.ts";

/** Why each error happens and what to do next, in German. The sentence with its names comes from the core. */
export const germanErrors: ErrorWords = {
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
  SESSION_NOT_FOUND: {
    cause: "Es gibt keine Unterhaltung mit dieser Kennung.",
    help: "Beginnen Sie eine neue.",
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
  SPEC_UNSUPPORTED: {
    cause: "Die Angabe ist weder Paketname noch Datei, Ordner oder Git-Adresse.",
    help: "Geben Sie einen npm-Namen, eine .tgz-Datei, einen Ordner oder eine Git-Adresse an.",
  },
  PACKAGE_NOT_FOUND: {
    cause: "Das Verzeichnis kennt dieses Paket oder diese Version nicht.",
    help: "Prüfen Sie Schreibweise und Version.",
  },
  REGISTRY_UNREACHABLE: {
    cause: "Das Paketverzeichnis hat nicht geantwortet.",
    help: "Prüfen Sie das Netz und die Adresse des Verzeichnisses und versuchen Sie es noch einmal.",
  },
  REGISTRY_REFUSED: {
    cause: "Das Paketverzeichnis hat mit einem Fehler geantwortet.",
    help: "Versuchen Sie es später, oder fragen Sie, wer das Verzeichnis betreibt.",
  },
  GIT_FAILED: {
    cause: "Das Git-Repository ließ sich nicht holen.",
    help: "Prüfen Sie Adresse, Zweig und Ihren Zugang.",
  },
  SOURCE_MISSING: { cause: "Die Datei oder der Ordner ist nicht da.", help: "Prüfen Sie den Pfad." },
  ARCHIVE_DAMAGED: {
    cause: "Die Paketdatei ist beschädigt oder abgeschnitten.",
    help: "Laden Sie sie noch einmal, oder bitten Sie den Herausgeber um eine ganze.",
  },
  INTEGRITY_MISMATCH: {
    cause: "Die Dateien sind nicht die erwarteten.",
    help: "Benutzen Sie diese Kopie nicht. Installieren Sie noch einmal aus einer Quelle, der Sie trauen.",
  },
  SIGNATURE_INVALID: {
    cause: "Die Signatur der Registry zu dem Paket, oder der Nachweis seiner Quelle, passt nicht.",
    help: "Installieren Sie es nicht. Sagen Sie es dem Betreiber der Registry: Auf dem Weg wurde etwas geändert.",
  },
  UNSAFE_PACKAGE: {
    cause: "Das Paket enthält Verknüpfungen, Pfade oder Größen, die Patchbay nicht annimmt.",
    help: "Benutzen Sie das Paket nicht; sagen Sie es dem, der es gemacht hat.",
  },
  SCRIPT_FAILED: {
    cause: "Ein Skript des Pakets ist bei der Installation fehlgeschlagen.",
    help: "Nichts wurde installiert. Mehr sagt das Protokoll der Installation: `patchbay job logs`.",
  },
  NOT_A_PLUGIN: {
    cause: "Das Paket enthält kein Plugin, das Patchbay kennt.",
    help: "Prüfen Sie, ob es das richtige Paket ist.",
  },
  MANIFEST_INVALID: {
    cause: "Das Plugin beschreibt sich auf eine Weise, die Patchbay nicht annehmen kann.",
    help: "Wer es gemacht hat, muss das genannte Feld berichtigen.",
  },
  MANIFEST_CHANGED: {
    cause: "Das Plugin beschreibt sich anders als bei der Installation.",
    help: "Installieren Sie es noch einmal und sehen Sie, was es verlangt.",
  },
  INSPECT_TIMEOUT: {
    cause: "Das Lesen des Plugins dauerte zu lange.",
    help: "Wer es gemacht hat, muss das ändern; nichts wurde installiert.",
  },
  INSPECT_CRASHED: {
    cause: "Das Plugin hat seinen Prozess beendet, während es gelesen wurde.",
    help: "Wer es gemacht hat, muss das berichtigen; nichts wurde installiert.",
  },
  KEY_TAKEN: {
    cause: "Ein anderes Paket benutzt diesen Plugin-Schlüssel schon.",
    help: "Geben Sie diesem einen anderen Schlüssel, oder deinstallieren Sie zuerst das andere.",
  },
  NAMESPACE_TAKEN: {
    cause: "Ein anderes Plugin benutzt diesen Namensraum für Werkzeuge schon.",
    help: "Geben Sie diesem einen anderen Schlüssel, nach dem dann auch seine Namen gehen, oder deinstallieren Sie zuerst das andere.",
  },
  DISK_FULL: {
    cause: "Der Datenträger ist voll.",
    help: "Schaffen Sie Platz und versuchen Sie es noch einmal. Nichts ging verloren.",
  },
  WRITE_FAILED: {
    cause: "Eine Datei ließ sich nicht schreiben.",
    help: "Prüfen Sie die Rechte an Patchbays Ordner.",
  },
  READ_FAILED: {
    cause: "Eine Datei ließ sich nicht lesen.",
    help: "Prüfen Sie die Rechte an Patchbays Ordner.",
  },
  CONSENT_REFUSED: {
    cause: "Die Installation wurde abgelehnt.",
    help: "Starten Sie sie noch einmal, wenn Sie es sich anders überlegen.",
  },
  JOB_TIMEOUT: {
    cause: "Ein Schritt der Installation dauerte zu lange.",
    help: "Versuchen Sie es noch einmal. Geschieht es wieder, zeigt `patchbay job logs`, was inzwischen geschah.",
  },
  UPDATE_ROLLED_BACK: {
    cause: "Die neue Version ist nicht gestartet, darum bleibt die alte.",
    help: "Sehen Sie sich den Grund an; versuchen Sie es wieder, wenn es eine neuere gibt.",
  },
  NO_OTHER_VERSION: {
    cause: "Keine andere Version ist aufgehoben.",
    help: "Installieren Sie die gewünschte Version nach ihrem Namen.",
  },
  CONFIG_REFUSED: {
    cause: "Das Plugin hat seine Einstellungen abgelehnt.",
    help: "Ändern Sie sie auf seiner Seite oder mit `patchbay plugin config`.",
  },
  CONFIG_INVALID: {
    cause: "Die Einstellungen passen nicht zu dem, was das Plugin verlangt.",
    help: "Ändern Sie sie auf seiner Seite oder mit `patchbay plugin config`.",
  },
  MISSING_SECRET: {
    cause: "Die Einstellungen verweisen auf ein Geheimnis, das nicht gespeichert ist.",
    named: "{plugin} braucht etwas, das noch nicht gespeichert ist: {missing}.",
    help: "Speichern Sie das Geheimnis.",
  },
  NEEDS_SETUP: {
    cause: "Das Plugin ist noch nicht eingerichtet.",
    named: "{plugin} ist noch nicht eingerichtet, es fehlt: {lacking}.",
    help: "Richten Sie es fertig ein.",
  },
  SECRET_NOT_GIVEN: {
    cause: "Das Plugin nennt ein Geheimnis, das ihm nicht gegeben wurde.",
    named: "{plugin} möchte das Geheimnis {name}, das ihm nicht gegeben wurde.",
    help: "Geben Sie es ihm, wenn es das haben soll, oder speichern Sie ein eigenes in seinen Einstellungen.",
  },
  START_FAILED: {
    cause: "Das Plugin konnte nicht starten.",
    help: "Sehen Sie ins Protokoll; berichtigen Sie die Einstellungen oder aktualisieren Sie das Plugin.",
  },
  START_TIMEOUT: {
    cause: "Das Plugin ist nicht rechtzeitig fertig gestartet.",
    named: "{plugin} ist nicht rechtzeitig fertig gestartet.",
    help: "Versuchen Sie es noch einmal; heben Sie die Zeitgrenze, wenn es von Natur aus langsam ist.",
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
  CREDENTIALS_REFUSED: {
    cause: "Der Dienst nimmt die gespeicherten Zugangsdaten nicht mehr an.",
    help: "Melden Sie sich noch einmal an.",
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
  SEARCH_NOT_POSSIBLE: {
    cause: "Es gibt nichts zu suchen, oder es läuft keine Suche.",
    help: "Schalten Sie die Plugins ein, bei denen das Problem auftrat, und beginnen Sie noch einmal.",
  },
  SEARCH_INTERRUPTED: {
    cause: "Patchbay endete, während es das Plugin suchte, das ein Problem verursacht.",
    help: "Alle Plugins sind wie vorher. Beginnen Sie in den Einstellungen noch einmal, wenn Sie wollen.",
  },
  STATE_FILE_DAMAGED: {
    cause: "Eine Zustandsdatei war beschädigt; die neueste gute Kopie wird benutzt.",
    help: "Prüfen Sie Ihre letzten Änderungen. Die beschädigte Datei liegt daneben.",
  },
  STATE_FILE_NEWER: {
    cause: "Eine Zustandsdatei wurde von einem neueren Patchbay geschrieben.",
    help: "Aktualisieren Sie Patchbay. Die Datei wurde nicht angerührt.",
  },
  STATE_TAMPERED: {
    cause: "Etwas anderes als Patchbay hat geändert, was es aufbewahrt.",
    named:
      "Etwas anderes als Patchbay hat geändert, was von {row} aufbewahrt wird. Darum ist es ausgeschaltet.",
    help: "Sehen Sie es sich mit `patchbay state list` an und entscheiden Sie, ob es gelten soll.",
  },
  AUDIT_BROKEN: {
    cause: "Das Protokoll wurde von etwas anderem als Patchbay geändert.",
    help: "Der Befehl `patchbay audit verify` nennt die Stelle. Vergleichen Sie mit einer Sicherung des Ordners audit.",
  },
  PORT_IN_USE: {
    cause: "Ein anderes Programm benutzt diesen Port.",
    help: "Geben Sie einen anderen an, oder keinen: dann wird ein freier genommen.",
  },
  CORE_SIGNALLED: {
    cause: "Ein Programm auf diesem Rechner hat Patchbay das Signal geschickt, das einen Debugger öffnet.",
    help: "Patchbay hat es nicht beachtet. Wenn Sie es nicht waren, sehen Sie nach, was sonst auf diesem Rechner läuft.",
  },
  ENVIRONMENT_LEFT_OUT: {
    cause: "Patchbay wurde mit Variablen gestartet, die verändert hätten, was es ausführt.",
    help: "Es hat sie weggelassen. Wenn Sie sie nicht gesetzt haben, sehen Sie in die Startdateien Ihres Terminals.",
  },
  HOME_IN_USE: {
    cause: "Ein anderes Patchbay benutzt denselben Ordner.",
    help: "Benutzen Sie das, das läuft, oder schließen Sie es zuerst.",
  },
  LEASE_LOST: {
    cause: "Ein anderes Patchbay hat denselben Ordner übernommen.",
    help: "Benutzen Sie das andere; dieses hier hat aufgehört. Starten Sie es wieder, wenn das andere geschlossen ist.",
  },
  VAULT_CLOSED: {
    cause: "Die gespeicherten Geheimnisse lassen sich nicht öffnen.",
    help: "Öffnen Sie Patchbay so, wie Sie es beim Speichern getan haben.",
  },
  TRUST_REFUSED: {
    cause: "Niemand Bekanntes bürgt für das Plugin, und es verlangt mehr, als solche Plugins bekommen.",
    help: "Lesen Sie nach, was es ist, bevor Sie das Risiko eingehen; nehmen Sie es dann in Kauf: im Dialog oder mit --accept-risk.",
  },
  PROGRAM_MISSING: {
    cause: "Das Plugin braucht ein Programm, das auf diesem Rechner fehlt.",
    help: "Installieren Sie das genannte Programm und versuchen Sie es noch einmal.",
  },
};
