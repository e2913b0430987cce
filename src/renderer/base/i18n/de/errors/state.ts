import type { ErrorWords } from "../../error-words.ts";

export const stateErrors = {
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
} satisfies Partial<ErrorWords>;
