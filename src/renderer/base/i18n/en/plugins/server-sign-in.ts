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
  "signIn.account": "Use a machine account",
  "signIn.accountHelp": "For agents that run without a person: a client ID with its secret or private key.",
  "signIn.accountTitle": "Enter a machine account",
  "signIn.accountText":
    "Patchbay signs in at {{provider}} by itself, without a browser. The secret goes to {{provider}} alone; a private key is sent nowhere.",
  "signIn.accountFault.secret": "Enter the secret or the private key of this client ID.",
  "signIn.accountFault.key":
    "This is no private key that can be used. It must be RSA (2048 bits or more) or EC (P-256, P-384, P-521), as PEM or JSON Web Key, without a passphrase.",
  "signIn.accountFault.no-keys": "{{provider}} takes no private keys. Enter the client secret.",
  "signIn.secretOrKey": "Client secret or private key",
  "signIn.secretOrKeyHelp": "A key is pasted whole, as PEM or JSON Web Key.",
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
