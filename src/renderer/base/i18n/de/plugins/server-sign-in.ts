import type { serverSignInStrings as en } from "../../en/plugins/server-sign-in.ts";

export const serverSignInStrings: Record<keyof typeof en, string> = {
  "signIn.title": "Anmelden, um {{server}} zu nutzen",
  "signIn.text":
    "Patchbay öffnet die Seite zur Anmeldung in Ihrem Browser und sieht Ihr Passwort nie. Was es dort bekommt, liegt im Tresor und geht nur an {{server}}.",
  "signIn.server": "Server",
  "signIn.provider": "Sie melden sich an bei",
  "signIn.client": "Client",
  "signIn.clientCame": "kam mit dem Server",
  "signIn.clientCameWithSecret": "kam mit dem Server; sein Geheimnis geht nur an {{provider}}",
  "signIn.rights": "Rechte",
  "signIn.noRights": "Der Server nennt keine",
  "signIn.new": "neu",
  "signIn.go": "Bei {{provider}} anmelden",
  "signIn.own": "Eine eigene Client-ID verwenden",
  "signIn.ownHelp": "Für Organisationen, die Apps selbst eintragen.",
  "signIn.clientTitle": "Client-ID eingeben",
  "signIn.clientText":
    "{{provider}} trägt Apps nicht von selbst ein. Legen Sie dort einen Client an, mit der Rückkehradresse unten, und geben Sie seine ID ein.",
  "signIn.back": "Rückkehradresse",
  "signIn.clientId": "Client-ID",
  "signIn.clientSecret": "Client-Geheimnis",
  "signIn.keyTitle": "Schlüssel eingeben",
  "signIn.keyText":
    "{{server}} verlangt eine Anmeldung, sagt aber nicht, wo. Wenn Sie einen Schlüssel dafür haben, geben Sie ihn hier ein.",
  "signIn.key": "Schlüssel",
  "signIn.document": "Anmeldung bei Servern",
  "signIn.documentAddress": "Öffentliche Beschreibung dieses Patchbay",
  "signIn.documentHelp":
    "Wird meist nicht gebraucht. Organisationen, die eine solche Beschreibung (Client-ID-Metadaten) veröffentlichen, geben ihre Adresse ein; sie gilt dann dort, wo Sie sich anmelden.",
  "signIn.documentBad": "Das muss eine Adresse mit https:// und einem Pfad sein.",
};
