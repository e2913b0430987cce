import type { Translation } from "./plugin-words.ts";

/**
 * German for the sentences of the toolkit for channels (`packages/plugin-sdk/src/channel`), which every channel says,
 * whoever wrote it, and for what Patchbay puts around a plugin's sentence. A plugin's own texts go before them.
 */
export const kitWordsDe: Translation = {
  // How it is connected
  "{name} cannot be reached: {reason*}": "{name} ist nicht erreichbar: {reason*}",
  "{name} cannot be reached": "{name} ist nicht erreichbar",
  "{name} refused the sign-in: {reason*}": "{name} hat die Anmeldung abgelehnt: {reason*}",
  "{name} refused the sign-in": "{name} hat die Anmeldung abgelehnt",
  "{name} was left: {reason*}": "{name} wurde verlassen: {reason*}",
  "{name} was left": "{name} wurde verlassen",
  "A message could not be delivered: {reason*}": "Eine Nachricht konnte nicht zugestellt werden: {reason*}",
  "A message could not be answered: {reason*}": "Eine Nachricht konnte nicht beantwortet werden: {reason*}",
  "Messages cannot be stored, so none are accepted until they can: {reason*}":
    "Nachrichten lassen sich nicht speichern; bis es wieder geht, werden keine angenommen: {reason*}",
  "{room} does not answer.": "{room} antwortet nicht.",
  "The channel stops.": "Der Kanal wird beendet.",
  "The end of the connection took too long.": "Die Verbindung ließ sich nicht rechtzeitig beenden.",
  "The server accepted the connection and then said nothing.":
    "Der Server hat die Verbindung angenommen und dann nichts mehr gesagt.",
  "Nothing says why.": "Ein Grund wird nicht genannt.",
  "The server stopped answering.": "Der Server antwortet nicht mehr.",

  // Sending
  "Too many messages wait already.": "Es warten schon zu viele Nachrichten.",
  "It waits to be sent: there is no connection yet, or the person is away.":
    "Sie wartet darauf, gesendet zu werden: Es gibt noch keine Verbindung, oder die Person ist nicht da.",
  "The person whom it was for is gone.": "Die Person, für die sie bestimmt war, ist fort.",
  "files cannot be sent here": "Dateien können hier nicht gesendet werden",

  // Why a server cannot be reached, as a sentence and as the end of one
  "Nothing answers there; check the server and the port ({detail})":
    "Dort antwortet niemand; prüfe Server und Port ({detail})",
  "The connection was cut ({detail})": "Die Verbindung wurde getrennt ({detail})",
  "The server does not answer ({detail})": "Der Server antwortet nicht ({detail})",
  "There is no way to the server ({detail})": "Es führt kein Weg zum Server ({detail})",
  "There is no network ({detail})": "Es gibt keine Netzwerkverbindung ({detail})",
  "There is no server of that name ({detail})": "Einen Server dieses Namens gibt es nicht ({detail})",
  "The name of the server cannot be looked up now ({detail})":
    "Der Name des Servers lässt sich gerade nicht auflösen ({detail})",
  "The certificate of the server has expired ({detail})":
    "Das Zertifikat des Servers ist abgelaufen ({detail})",
  "The certificate of the server is not known to this computer ({detail})":
    "Dieser Computer kennt das Zertifikat des Servers nicht ({detail})",
  "The certificate belongs to another server ({detail})":
    "Das Zertifikat gehört zu einem anderen Server ({detail})",
  "nothing answers there; check the server and the port ({code})":
    "dort antwortet niemand; prüfe Server und Port ({code})",
  "the connection was cut ({code})": "die Verbindung wurde getrennt ({code})",
  "the server does not answer ({code})": "der Server antwortet nicht ({code})",
  "there is no way to the server ({code})": "es führt kein Weg zum Server ({code})",
  "there is no network ({code})": "es gibt keine Netzwerkverbindung ({code})",
  "there is no server of that name ({code})": "einen Server dieses Namens gibt es nicht ({code})",
  "the name of the server cannot be looked up now ({code})":
    "der Name des Servers lässt sich gerade nicht auflösen ({code})",
  "the certificate of the server has expired ({code})": "das Zertifikat des Servers ist abgelaufen ({code})",
  "the certificate of the server is not known to this computer ({code})":
    "dieser Computer kennt das Zertifikat des Servers nicht ({code})",
  "the certificate belongs to another server ({code})":
    "das Zertifikat gehört zu einem anderen Server ({code})",
  "no web server may use this port": "dieser Port ist für Webserver gesperrt",

  // Wizards
  "This setup has expired. Begin it again.": "Diese Einrichtung ist abgelaufen. Beginnen Sie sie neu.",
  "{label*} is missing.": "{label*} fehlt.",
  "an app-level token of Slack": "ein App-Level-Token von Slack",
  "a bot token of Slack": "ein Bot-Token von Slack",
  "a user token of Slack": "ein Nutzer-Token von Slack",
  "a token of a Telegram bot": "das Token eines Telegram-Bots",
  "a token of a Discord bot": "das Token eines Discord-Bots",
  "a key of OpenAI or Anthropic": "ein Schlüssel von OpenAI oder Anthropic",
  "a token of GitHub": "ein Token von GitHub",

  // What Patchbay puts around a plugin's sentence
  "The plugin refused its settings: {problems*}": "Das Plugin hat seine Einstellungen abgelehnt: {problems*}",
  "{field*}: {problem*}": "{field*}: {problem*}",
  "{list*}, entry {place}": "{list*}, Eintrag {place}",

  // Settings that channels have in common
  "It must be one line.": "Es darf nur eine Zeile sein.",
  Owners: "Besitzer",
  "People who may write": "Wer schreiben darf",
  "Somebody who is not named": "Jemand, der nicht genannt ist",
  "What happens when they write directly.": "Was geschieht, wenn sie direkt schreiben.",
  "Tell them a code, and let them in under People":
    "Einen Code nennen, und Sie lassen sie unter Personen ein",
  "Leave them without an answer": "Keine Antwort geben",
  "Answer them: anybody can use the agent": "Antworten: Alle können den Agenten benutzen",
  "In channels, only these people": "Auch in Kanälen nur diese Personen",
  "In channels, too, only owners and people who may write are answered. Off: anybody who is in them.":
    "Auch in Kanälen bekommt nur Antwort, wer Besitzer ist oder schreiben darf. Aus: alle, die darin sind.",
  "Remember what is said in channels": "Merken, was in Kanälen gesagt wird",
  "In groups, only these people": "Auch in Gruppen nur diese Personen",
  "In groups, too, only owners and people who may write are answered. Off: anybody who is in them.":
    "Auch in Gruppen bekommt nur Antwort, wer Besitzer ist oder schreiben darf. Aus: alle, die darin sind.",
  "Remember what is said in groups": "Merken, was in Gruppen gesagt wird",
  "In rooms, only these people": "Auch in Räumen nur diese Personen",
  "In rooms, too, only owners and people who may write are answered. Off: anybody who is in them.":
    "Auch in Räumen bekommt nur Antwort, wer Besitzer ist oder schreiben darf. Aus: alle, die darin sind.",
  "Remember what is said in rooms": "Merken, was in Räumen gesagt wird",
  "The agent knows what was said before it was mentioned.":
    "Der Agent weiß dann, was vor seiner Erwähnung gesagt wurde.",
  "Wait for more, seconds": "Auf mehr warten, Sekunden",
  "Messages that a person sends this shortly after each other are answered together. 0: each alone.":
    "Nachrichten, die jemand so kurz nacheinander sendet, werden zusammen beantwortet. 0: jede einzeln.",
  "Answers to another bot": "Antworten an einen anderen Bot",
  "How often a bot on your lists is answered before a person has to write again. 0: bots are not answered.":
    "Wie oft ein Bot, der auf Ihren Listen steht, Antwort bekommt, bis wieder ein Mensch schreibt. 0: Bots bekommen keine Antwort.",
  "Show reactions": "Reaktionen zeigen",
  "Eyes at a message that waits, an hourglass at one that is worked on.":
    "Augen an einer Nachricht, die wartet; eine Sanduhr an einer, die bearbeitet wird.",
  "Channels with rules of their own": "Kanäle mit eigenen Regeln",
  "What is set here holds in this channel alone. The rest is as in the others.":
    "Was hier eingestellt ist, gilt nur in diesem Kanal. Alles andere ist wie in den übrigen.",
  Channel: "Kanal",
  "As in other channels": "Wie in anderen Kanälen",
  "Everybody in the channel": "Alle im Kanal",
  "Owners and the people named here": "Besitzer und die hier genannten Personen",
  "Only when it is mentioned": "Nur, wenn er erwähnt wird",
  "Everything that is said": "Alles, was gesagt wird",
  "Nothing, it only listens": "Nichts, er hört nur zu",
  "Instructions for this channel": "Anweisungen für diesen Kanal",
  "Groups with rules of their own": "Gruppen mit eigenen Regeln",
  "What is set here holds in this group alone. The rest is as in the others.":
    "Was hier eingestellt ist, gilt nur in dieser Gruppe. Alles andere ist wie in den übrigen.",
  Group: "Gruppe",
  "As in other groups": "Wie in anderen Gruppen",
  "Everybody in the group": "Alle in der Gruppe",
  "Instructions for this group": "Anweisungen für diese Gruppe",
  "Rooms with rules of their own": "Räume mit eigenen Regeln",
  "What is set here holds in this room alone. The rest is as in the others.":
    "Was hier eingestellt ist, gilt nur in diesem Raum. Alles andere ist wie in den übrigen.",
  Room: "Raum",
  "As in other rooms": "Wie in anderen Räumen",
  "Everybody in the room": "Alle im Raum",
  "Instructions for this room": "Anweisungen für diesen Raum",
  "What it answers": "Worauf er antwortet",
  "Whom it answers": "Wem er antwortet",
  "People who are answered there": "Wer dort Antwort bekommt",
  "Named as under People who may write.": "So genannt wie unter „Wer schreiben darf“.",
  "Added to what the agent is told about itself.":
    "Kommt zu dem hinzu, was dem Agenten über sich gesagt wird.",
  "Choose one.": "Wählen Sie einen Eintrag.",
};
