import type { ErrorWords } from "../../error-words.ts";

export const runningErrors = {
  CONFIG_REFUSED: {
    cause: "Das Plugin hat seine Einstellungen abgelehnt.",
    help: "Ändern Sie sie auf seiner Seite oder mit `patchbay plugin config`.",
  },
  CONFIG_INVALID: {
    cause: "Die Einstellungen passen nicht zu dem, was das Plugin verlangt.",
    help: "Ändern Sie sie auf seiner Seite oder mit `patchbay plugin config`.",
  },
  SETTINGS_REFUSED: {
    cause:
      "Das Plugin ist mit den neuen Einstellungen nicht gestartet; die, mit denen es lief, gelten wieder.",
    help: "Berichtigen Sie Ihre Änderung und speichern Sie noch einmal, oder kehren Sie zu den Einstellungen zurück, die funktionieren.",
  },
  SETTINGS_UNTRIED: {
    cause: "Patchbay wurde beendet, bevor das Plugin mit den neuen Einstellungen gestartet war.",
    help: "Versuchen Sie es noch einmal damit, oder bleiben Sie bei denen, die funktioniert haben.",
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
  CREDENTIALS_REFUSED: {
    cause: "Der Dienst nimmt die gespeicherten Zugangsdaten nicht mehr an.",
    help: "Melden Sie sich noch einmal an.",
  },
  PYTHON_MISSING: {
    cause: "Auf diesem Rechner wurde kein Python gefunden, und das Plugin ist darin geschrieben.",
    named: "{file} ist kein Python, das läuft.",
    help: "Installieren Sie Python 3.9 oder neuer, oder wählen Sie unter Einstellungen, Python eines aus. Starten Sie das Plugin dann noch einmal.",
  },
  PYTHON_TOO_OLD: {
    cause: "Das Python dieses Rechners ist zu alt für das Plugin.",
    named: "Python {version} ist zu alt für das Plugin.",
    help: "Installieren Sie Python 3.9 oder neuer, oder wählen Sie unter Einstellungen, Python ein anderes. Starten Sie das Plugin dann noch einmal.",
  },
  MODULE_MISSING: {
    cause: "Ein Python-Paket, das das Plugin braucht, ist nicht installiert.",
    named: "{plugin} braucht das Python-Paket {package}, das nicht installiert ist.",
    help: "Installieren Sie es auf der Seite des Plugins; das Plugin startet dann noch einmal.",
  },
} satisfies Partial<ErrorWords>;
