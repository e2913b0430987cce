export const serverSignInStrings = {
  "signIn.title": "Sign in to use {{server}}",
  "signIn.text":
    "Patchbay opens the sign-in page in your browser and never sees your password. What it gets there is kept in the vault and sent to {{server}} alone.",
  "signIn.server": "Server",
  "signIn.provider": "You sign in at",
  "signIn.client": "Client",
  "signIn.clientCame": "came with the server",
  "signIn.clientCameWithSecret": "came with the server; its secret is sent to {{provider}} alone",
  "signIn.rights": "Rights",
  "signIn.noRights": "The server names none",
  "signIn.new": "new",
  "signIn.go": "Sign in at {{provider}}",
  "signIn.own": "Use a client ID of my own",
  "signIn.ownHelp": "For organisations that register apps themselves.",
  "signIn.clientTitle": "Enter a client ID",
  "signIn.clientText":
    "{{provider}} does not register apps by itself. Make a client there, with the address below to come back to, and enter its ID.",
  "signIn.back": "Address to come back to",
  "signIn.clientId": "Client ID",
  "signIn.clientSecret": "Client secret",
  "signIn.keyTitle": "Enter a key",
  "signIn.keyText":
    "{{server}} wants a sign-in but does not say where. If you have a key for it, enter it here.",
  "signIn.key": "Key",
  "signIn.document": "Sign-in at servers",
  "signIn.documentAddress": "Public description of this Patchbay",
  "signIn.documentHelp":
    "Usually not needed. Organisations that publish such a description (client ID metadata document) enter its address; it is then shown where you sign in.",
  "signIn.documentBad": "This must be an address with https:// and a path.",
};
