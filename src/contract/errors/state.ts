/** Finding the plugin that causes a problem, and what is kept on the disk. */
export const stateErrors = {
  // Finding the plugin that causes a problem
  SEARCH_NOT_POSSIBLE: {
    status: 409,
    cause: "There is nothing to search for, or no search is under way.",
    help: "Switch on the plugins that you used when the problem came up, and begin again.",
  },
  SEARCH_INTERRUPTED: {
    status: 409,
    cause: "Patchbay ended while it searched for the plugin that causes a problem.",
    help: "All plugins are as they were before. Begin again in the settings if you like.",
  },

  // State
  STATE_FILE_DAMAGED: {
    status: 500,
    cause: "A state file was damaged; the newest good copy is used.",
    help: "Check your last changes. The damaged file was kept beside it.",
  },
  STATE_FILE_NEWER: {
    status: 500,
    cause: "A state file was written by a newer Patchbay.",
    help: "Update Patchbay. The file was not touched.",
  },
  STATE_TAMPERED: {
    status: 409,
    cause: "Something other than Patchbay changed what it keeps.",
    help: "Look at it with `patchbay state list`, then use it or leave it.",
  },
  AUDIT_BROKEN: {
    status: 500,
    cause: "The audit log was changed by something other than Patchbay.",
    help: "Run `patchbay audit verify`; it names the place. Compare with a backup of the folder audit.",
  },
  PORT_IN_USE: {
    status: 409,
    cause: "Another program uses that port.",
    help: "Give another port, or none: then a free one is taken.",
  },
  CORE_SIGNALLED: {
    status: 500,
    cause: "A program on this computer sent Patchbay the signal that opens a debugger.",
    help: "Patchbay ignored it. If it was not you, look at what else runs on this computer.",
  },
  ENVIRONMENT_LEFT_OUT: {
    status: 500,
    cause: "Patchbay was started with variables that would have changed what it runs.",
    help: "It left them out. If you did not set them, look into the start files of your terminal.",
  },
  HOME_IN_USE: {
    status: 409,
    cause: "Another Patchbay uses the same folder.",
    help: "Use the one that runs, or close it first.",
  },
  LEASE_LOST: {
    status: 503,
    cause: "Another Patchbay has taken over the same folder.",
    help: "Use that one; this one has stopped. Start it again when the other is closed.",
  },
  VAULT_CLOSED: {
    status: 500,
    cause: "The stored secrets cannot be opened.",
    help: "Open Patchbay the way you did when you stored them.",
  },
} as const;
