/** A plugin's setup: wizards, sign-ins, codes. */
export const setupErrors = {
  NO_SETUP: { status: 409, cause: "The plugin has nothing to set up.", help: "Switch it on." },
  SETUP_NOT_FOUND: {
    status: 404,
    cause: "That setup is over.",
    help: "Open the setup again.",
  },
  SETUP_STALE: {
    status: 409,
    cause: "The answer belongs to a step that is over.",
    help: "Look at the step that is shown now.",
  },
  SETUP_EXPIRED: {
    status: 410,
    cause: "Nothing happened for too long, so the setup was ended. Nothing was saved.",
    help: "Start it again.",
  },
  SETUP_INTERRUPTED: {
    status: 409,
    cause: "Patchbay was closed in the middle of the setup. Nothing was saved.",
    help: "Start it again.",
  },
  SETUP_FAILED: {
    status: 422,
    cause: "The plugin's setup failed. Nothing was saved.",
    help: "Begin it again; the plugin's log may say more.",
  },
  SETUP_INVALID: {
    status: 422,
    cause: "The plugin's setup answered something that Patchbay does not accept. Nothing was saved.",
    help: "Its author must correct it; look for an update.",
  },
  SETUP_TIMEOUT: {
    status: 504,
    cause: "The plugin's setup did not answer in time.",
    help: "Try again.",
  },
  SIGN_IN_DENIED: {
    status: 403,
    cause: "The sign-in was refused at the provider's page.",
    help: "Sign in again and allow it, or cancel.",
  },
  SIGN_IN_FAILED: {
    status: 502,
    cause: "The provider refused the sign-in.",
    help: "Sign in again, with another account if that one may not.",
  },
  SIGN_IN_TIMEOUT: {
    status: 504,
    cause: "The browser did not come back from the sign-in.",
    help: "Open the page again, or use a code instead.",
  },
  PROVIDER_UNREACHABLE: {
    status: 502,
    cause: "The provider of the sign-in did not answer.",
    help: "Check the network and try again.",
  },
  PROVIDER_FAILED: {
    status: 502,
    cause: "The provider of the sign-in answered something that is no sign-in answer.",
    help: "Try again later; tell the plugin's author if it goes on.",
  },
  BACKUP_INVALID: {
    status: 422,
    cause: "The file is no backup of secrets, or the passphrase is another one.",
    help: "Check the file and the passphrase.",
  },
  UNLOCK_PAUSED: {
    status: 429,
    cause: "Too many wrong passphrases were tried.",
    help: "Wait, and try again.",
  },
  PASSPHRASE_WRONG: {
    status: 403,
    cause: "The stored secrets were locked with another passphrase.",
    help: "Type it once more; mind capitals and spaces.",
  },
  START_FAILED: {
    status: 500,
    cause: "The plugin could not start.",
    help: "Look at its log; correct the settings or update the plugin.",
  },
  START_TIMEOUT: {
    status: 504,
    cause: "The plugin did not finish starting in time.",
    help: "Try again; raise the time limit if it is slow by nature.",
  },
  PROGRAM_MISSING: {
    status: 409,
    cause: "The plugin needs a program that this machine does not have.",
    help: "Install the program that is named, then try again.",
  },
  PROTOCOL_UNSUPPORTED: {
    status: 409,
    cause: "The server speaks another version of MCP than Patchbay.",
    help: "Look for an update of the server, or of Patchbay.",
  },
  SERVER_UNREACHABLE: {
    status: 502,
    cause: "The server did not answer.",
    help: "Check the network and the address; it is tried again by itself.",
  },
  HOST_CRASHED: {
    status: 500,
    cause: "The plugin's process has ended.",
    help: "It is started again by itself. Look at its log if it goes on.",
  },
  NOT_RESPONDING: {
    status: 504,
    cause: "The plugin's process stopped answering.",
    help: "It is ended and started again by itself.",
  },
  QUARANTINED: {
    status: 409,
    cause: "The plugin crashed too often.",
    help: "Look at its log, then start it again.",
  },
  PLUGIN_REPORTED: {
    status: 500,
    cause: "The plugin reported a problem of its own.",
    help: "Look at its log and its settings.",
  },
  PLUGIN_NOT_RUNNING: {
    status: 409,
    cause: "The plugin is not running for this agent.",
    help: "Switch it on, or look at why it did not start.",
  },
  PLUGIN_FILES_CHANGED: {
    status: 422,
    cause: "The plugin's files were changed after it was installed.",
    help: "Install it again.",
  },
  KEY_CHANGED_HANDS: {
    status: 409,
    cause: "Another package has the plugin's key now, so the plugin is off.",
    help: "Look at where it comes from, set it up, and switch it on if you want it.",
  },
  WALLS_MISSING: {
    status: 409,
    cause: "Nothing on this machine holds plugins to what they were granted, so they do not start.",
    help: "Install what is missing, or decide under Settings, When something is wrong, to run plugins without walls.",
  },
  WATCHER_LOST: {
    status: 500,
    cause: "The program with which Patchbay sees what plugins try has ended by itself, or was ended.",
    help: "What it watched was ended with it: plugins start again by themselves, watched by a new one. Programs that they had started have to be started again.",
  },
  HELD_OFF: {
    status: 409,
    cause: "The plugin is switched on, but held off for now.",
    help: "Leave safe mode, or end the search for the plugin that causes a problem.",
  },
  NAME_CLASH: { status: 409, cause: "Two plugins offer the same name.", help: "Switch one of them off." },
  TOO_MANY_TOOLS: {
    status: 422,
    cause: "The plugin offers more than 64 tools.",
    help: "Its author must offer fewer.",
  },
} as const;
