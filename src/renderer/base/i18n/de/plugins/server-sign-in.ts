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
  "signIn.account": "Ein Maschinenkonto verwenden",
  "signIn.accountHelp":
    "Für Agenten, die ohne einen Menschen laufen: eine Client-ID mit ihrem Geheimnis oder privaten Schlüssel.",
  "signIn.accountTitle": "Maschinenkonto eingeben",
  "signIn.accountText":
    "Patchbay meldet sich selbst bei {{provider}} an, ohne Browser. Das Geheimnis geht nur an {{provider}}; ein privater Schlüssel wird nirgendwohin gesendet.",
  "signIn.accountFault.secret":
    "Geben Sie das Geheimnis oder den privaten Schlüssel zu dieser Client-ID ein.",
  "signIn.accountFault.key":
    "Das ist kein privater Schlüssel, der sich verwenden lässt. Er muss RSA (ab 2048 Bit) oder EC (P-256, P-384, P-521) sein, als PEM oder JSON Web Key, ohne Passphrase.",
  "signIn.accountFault.no-keys":
    "{{provider}} nimmt keine privaten Schlüssel. Geben Sie das Client-Geheimnis ein.",
  "signIn.secretOrKey": "Client-Geheimnis oder privater Schlüssel",
  "signIn.secretOrKeyHelp": "Einen Schlüssel fügen Sie ganz ein, als PEM oder JSON Web Key.",
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
