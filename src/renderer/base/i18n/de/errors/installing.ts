import type { ErrorWords } from "../../error-words.ts";

export const installingErrors = {
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
    cause: "Die Signatur des Verzeichnisses zu dem Paket, oder der Nachweis seiner Quelle, passt nicht.",
    help: "Installieren Sie es nicht. Sagen Sie es dem Betreiber des Verzeichnisses: Auf dem Weg wurde etwas geändert.",
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
  UPDATE_NEEDS_FILE: {
    cause: "Das Plugin kam als Datei, die auf Patchbay gezogen wurde.",
    help: "Ziehen Sie eine neuere Datei davon auf das Fenster.",
    named:
      "{name} kam als die Datei {file}; es gibt keinen Ort, an dem nach einer neueren gesucht werden könnte.",
  },
  PLATFORM_UNSUPPORTED: {
    cause:
      "Das Plugin ist für ein anderes System gemacht oder für eine andere Version dessen, was es ausführt.",
    help: "Sehen Sie nach, ob sein Autor es für diesen Computer anbietet, oder installieren Sie die nötige Version.",
  },
  NO_OTHER_VERSION: {
    cause: "Keine andere Version ist aufbewahrt.",
    help: "Installieren Sie die gewünschte Version nach ihrem Namen.",
  },
  TRUST_REFUSED: {
    cause: "Niemand Bekanntes bürgt für das Plugin, und es verlangt mehr, als solche Plugins bekommen.",
    help: "Lesen Sie nach, was es ist, bevor Sie das Risiko eingehen; nehmen Sie es dann in Kauf: im Dialog oder mit --accept-risk.",
  },
} satisfies Partial<ErrorWords>;
