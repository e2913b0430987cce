import type { vaultStrings as en } from "../../en/app/vault.ts";

export const vaultStrings: Record<keyof typeof en, string> = {
  "vault.title": "Wie sie aufbewahrt werden",
  "vault.keychain":
    "Versiegelt mit einem Schlüssel in {{name}}. Nur Sie, an diesem Computer angemeldet, können sie öffnen.",
  "vault.keyfile":
    "Versiegelt mit einem Schlüssel in einer Datei daneben: wer Ihre Dateien lesen kann, kann sie öffnen. Eine Passphrase schützt sie besser.",
  "vault.keyfileNoKeychain":
    "Dieses System hat keinen Schlüsselbund, den Patchbay benutzen kann; der Schlüssel liegt deshalb in einer Datei daneben: wer Ihre Dateien lesen kann, kann sie öffnen. Eine Passphrase schützt sie besser.",
  "vault.passphraseAlone": "Versiegelt allein mit Ihrer Passphrase. Nach ihr wird bei jedem Start gefragt.",
  "vault.passphraseToo":
    "Ihre Passphrase öffnet sie auch, auf jedem Computer und in jeder Form von Patchbay.",
  "vault.empty": "Noch ist nichts gespeichert; der Schlüssel entsteht mit dem ersten Geheimnis.",
  "vault.key.keychain": "{{name}}",
  "vault.key.keyfile": "Schlüsseldatei",
  "vault.key.passphrase": "Passphrase",
  "vault.key.unknown": "Eine Art von Schlüssel, die dieses Patchbay nicht kennt ({{name}})",
  "vault.with.keychain": "dem Schlüssel in {{name}}",
  "vault.with.keyfile": "der Schlüsseldatei",
  "vault.with.passphrase": "der Passphrase",
  "vault.with.unknown": "einer Art von Schlüssel, die dieses Patchbay nicht kennt ({{name}})",
  "vault.opens": "öffnet sie hier",
  "vault.opensNot": "öffnet sie hier nicht",
  "vault.opensTyped": "öffnet sie, wenn Sie sie eintippen",
  "vault.setPassphrase": "Passphrase setzen",
  "vault.changePassphrase": "Passphrase ändern",
  "vault.removePassphrase": "Passphrase entfernen",
  "vault.removeTitle": "Die Passphrase entfernen?",
  "vault.removeText": "Die Geheimnisse öffnen sich dann mit {{key}}.",
  "vault.removeNoOther": "Vorher kommt ein Schlüssel in {{key}}, damit sie sich weiter öffnen.",
  "vault.theKeychain": "den Schlüsselbund des Systems",
  "vault.theKeyfile": "eine Datei in Patchbays Ordner",
  "vault.removeBackups": "Sicherungen behalten die Passphrase, mit der sie angelegt wurden.",
  "vault.passphrase": "Passphrase",
  "vault.passphraseHelp":
    "Mindestens 8 Zeichen; am besten mehrere Wörter. Niemand kann sie wiederherstellen.",
  "vault.repeat": "Noch einmal dieselbe",
  "vault.tooShort": "Mindestens 8 Zeichen.",
  "vault.differs": "Die beiden sind nicht gleich.",
  "vault.askAtStart": "Bei jedem Start danach fragen",
  "vault.askAtStartHelp":
    "Dann öffnet nichts als die Passphrase die Geheimnisse. Plugins, die eines brauchen, warten, bis Sie sie eingetippt haben.",
  "vault.addsAWayIn":
    "Ohne das ist die Passphrase nur ein zweiter Weg hinein: Die Geheimnisse öffnen sich auf diesem Computer weiter von selbst, sie schützt also nichts zusätzlich.",
  "vault.passphraseSet": "Die Passphrase ist gesetzt.",
  "vault.passphraseRemoved": "Die Passphrase ist entfernt.",

  "vault.backup": "Sichern",
  "vault.backupTitle": "Alle Geheimnisse sichern",
  "vault.backupHelp":
    "Eine verschlüsselte Datei, die sich allein mit dieser Passphrase öffnet, auf jedem Computer. Es muss nicht die von oben sein.",
  "vault.makeBackup": "Sicherung anlegen",
  "vault.backedUp": "Die Sicherung ging an Ihren Browser: {{name}}",
  "vault.backedUpTo": "Die Sicherung liegt in {{path}}",
  "vault.restore": "Wiederherstellen",
  "vault.restoreTitle": "Eine Sicherung wiederherstellen",
  "vault.file": "Datei der Sicherung",
  "vault.fileNeeded": "Wählen Sie eine Datei.",
  "vault.replaceStored": "Auch Geheimnisse ersetzen, die unter demselben Namen gespeichert sind",
  "vault.doRestore": "Wiederherstellen",
  "vault.import": "Übernehmen",
  "vault.importTitle": "Aus einem anderen Programm übernehmen",
  "vault.importHelp":
    "Zeilen der Form NAME=Wert, wie in einer .env-Datei, oder ein JSON-Objekt. Einstellungen mit {{old}} oder {{reference}} finden sie dann.",
  "vault.importText": "Namen und Werte",
  "vault.chooseFile": "Datei lesen",
  "vault.doImport": "Übernehmen",
  "vault.storedCount_one": "Ein Geheimnis ist gespeichert: {{names}}",
  "vault.storedCount_other": "{{count}} Geheimnisse sind gespeichert: {{names}}",
  "vault.storedNone": "Nichts Neues wurde gespeichert.",
  "vault.keptCount_one": "Eines blieb, wie es war: {{names}}",
  "vault.keptCount_other": "{{count}} blieben, wie sie waren: {{names}}",

  "vault.missing": "Gebraucht, aber nicht gespeichert",
  "vault.neededBy": "Gebraucht von",
  "vault.storeIt": "Speichern",
  "vault.storeName": "{{name}} speichern",
  "vault.uses_one": "ein Mal benutzt",
  "vault.uses_other": "{{count}} Mal benutzt",
  "vault.restarts": "Beim Ersetzen starten neu: {{list}}.",
  "vault.restartsNothing": "Nichts, was läuft, benutzt es; nichts startet neu.",
  "vault.restartOf": "{{plugin}} ({{agent}})",

  "locked.title": "Ihre Geheimnisse sind verschlossen",
  "locked.text":
    "Sie öffnen sich mit Ihrer Passphrase. Plugins und Modelle, die eines brauchen, warten so lange.",
  "locked.unlock": "Aufschließen",
  "locked.skip": "Ohne sie weitermachen",
  "locked.closedTitle": "Die gespeicherten Geheimnisse lassen sich nicht öffnen",
  "locked.closedText":
    "Nichts ist verloren: ihre Datei wurde nicht angerührt. Plugins und Modelle, die eines brauchen, warten.",
  "locked.why": "Warum nicht",
  "locked.what": "Was Sie tun können",
  "locked.doOpen":
    "Starten Sie Patchbay so wie beim Speichern: als dieselbe Person, mit demselben Schlüsselbund.",
  "locked.doFile":
    "Legen Sie eine gute Kopie von vault.json, und von vault.key, falls es eine gab, zurück nach {{folder}}.",
  "locked.doBackup":
    "Oder beginnen Sie mit einem leeren Tresor und stellen Sie eine Sicherung wieder her. Die alten Dateien kommen zur Seite, nicht weg.",
  "locked.retry": "Noch einmal versuchen",
  "locked.startOver": "Mit leerem Tresor beginnen",
  "locked.startOverTitle": "Mit einem leeren Tresor beginnen?",
  "locked.startOverAside":
    "Die alten Dateien kommen in einen eigenen Ordner daneben. Von Hand lassen sie sich zurücklegen.",
  "locked.startOverPlugins":
    "Plugins und Modelle, die ein Geheimnis brauchen, brauchen es neu, oder eine wiederhergestellte Sicherung.",
  "locked.banner": "Die gespeicherten Geheimnisse sind verschlossen.",
  "locked.bannerClosed": "Die gespeicherten Geheimnisse lassen sich nicht öffnen.",
  "locked.bannerText": "Was eines braucht, wartet.",
  "locked.show": "Zeigen",
};
