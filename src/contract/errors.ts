/**
 * Every error that may cross a wall, by code: its HTTP status, why it happens, and what to do next.
 * The sentence itself is written where the error is raised, because only that place knows the names in it.
 */
export const errorCatalogue = {
  // Requests
  BAD_INPUT: {
    status: 400,
    cause: "A value in the request has the wrong shape.",
    help: "Change what is named, and try again.",
  },
  UNAUTHORIZED: {
    status: 401,
    cause: "The request carries no token, or a wrong one.",
    help: "Open Patchbay again from its own link, or pass the token in gateway.json.",
  },
  FORBIDDEN: {
    status: 403,
    cause: "The request came from a page or host that Patchbay does not trust.",
    help: "Use the address that `patchbay serve` printed.",
  },
  CONFIRMATION_NEEDED: {
    status: 403,
    cause: "This is done only when the person at this machine confirms it.",
    help: "Type the code that Patchbay shows in the terminal where it runs, or the passphrase of the stored secrets.",
  },
  CONFIRMATION_WRONG: {
    status: 403,
    cause: "That is not the code or the passphrase that was asked for.",
    help: "Look at the terminal where Patchbay runs; the newest code counts.",
  },
  CONFIRMATION_LOCKED: {
    status: 429,
    cause: "Wrong codes were typed too often.",
    help: "Wait until a new code may be asked for.",
  },
  NOT_FOUND: {
    status: 404,
    cause: "Nothing is at that address.",
    help: "Check the address against /api/openapi.json.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    cause: "The request is larger than Patchbay accepts.",
    help: "Send less at once.",
  },
  RATE_LIMITED: {
    status: 429,
    cause: "Too many requests came in a short time.",
    help: "Wait a minute and send fewer.",
  },
  STALE_REVISION: {
    status: 409,
    cause: "Somebody saved a newer version in the meantime.",
    help: "Look at both versions and save again.",
  },
  ABORTED: { status: 499, cause: "It was stopped on request.", help: "Start it again if you still want it." },
  SHUTTING_DOWN: { status: 503, cause: "Patchbay is closing.", help: "Start Patchbay again." },
  INTERNAL: { status: 500, cause: "Patchbay made a mistake.", help: "Export the diagnostics and report it." },

  // Names that were not found
  AGENT_NOT_FOUND: {
    status: 404,
    cause: "There is no agent of that name.",
    help: "Choose one from `patchbay agent list`.",
  },
  AGENT_EXISTS: { status: 409, cause: "An agent of that name exists already.", help: "Choose another name." },
  PLUGIN_NOT_FOUND: {
    status: 404,
    cause: "That plugin is not installed.",
    help: "Install it first, or check the key.",
  },
  JOB_NOT_FOUND: {
    status: 404,
    cause: "That installation is no longer in the list.",
    help: "Start it again.",
  },
  SESSION_NOT_FOUND: {
    status: 404,
    cause: "There is no conversation with that id.",
    help: "Start a new one.",
  },
  TOOL_NOT_FOUND: {
    status: 404,
    cause: "No running plugin offers that tool to this agent.",
    help: "Look at the tools of the agent; switch the plugin on.",
  },
  COMMAND_NOT_FOUND: {
    status: 404,
    cause: "No command of that name exists for this agent.",
    help: "Type /help for the list.",
  },
  NOT_THE_OWNER: {
    status: 403,
    cause: "Somebody who is not an owner in the channel's settings tried to do what only owners may.",
    help: "Decide it in Patchbay, or name that person as an owner in the channel's settings.",
  },
  NOT_LET_IN: {
    status: 403,
    cause: "A channel brought a message of somebody whom nobody has let in.",
    help: "Let the person in on the channel's page under People, or name them in its settings.",
  },
  PERSON_NOT_FOUND: {
    status: 404,
    cause: "Nobody of that code or id waits or is listed.",
    help: "Codes hold for an hour and only in the channel where they were told. The channel's page shows who waits.",
  },
  DECIDING_NOT_GRANTED: {
    status: 403,
    cause: "Nobody has allowed that waiting calls are decided from this channel's chats.",
    help: "Decide it in Patchbay, or allow deciding from chats on the channel's page.",
  },
  NOT_SHOWN_WHOLE: {
    status: 403,
    cause: "The call is too long to be shown whole in a chat, so it cannot be allowed there.",
    help: "Look at it in Patchbay and decide there. A chat may refuse it.",
  },
  MESSAGE_NOT_SENT: {
    status: 502,
    cause: "The channel could not deliver the message.",
    help: "Look at the channel's activity; its log says more.",
  },
  VOICE_UNAVAILABLE: {
    status: 501,
    cause: "No speech service is set for this agent.",
    help: "Set one with “Edit agent”, or with `patchbay agent voice`.",
  },
  VOICE_FAILED: {
    status: 502,
    cause: "The speech service did not do what it was asked for.",
    help: "Check its address, its model and its key in the settings of the agent.",
  },
  APPROVAL_NOT_FOUND: {
    status: 404,
    cause: "That question is no longer open.",
    help: "Look at the history of approvals.",
  },
  DIALOG_NOT_FOUND: {
    status: 404,
    cause: "That question is no longer open.",
    help: "Nothing is left to do.",
  },
  SECRET_NOT_FOUND: { status: 404, cause: "There is no secret of that name.", help: "Store it first." },

  // Installing
  SPEC_UNSUPPORTED: {
    status: 400,
    cause: "What was given is not a package name, file, folder or git address.",
    help: "Give an npm name, a .tgz file, a folder or a git URL.",
  },
  PACKAGE_NOT_FOUND: {
    status: 404,
    cause: "The registry has no such package or version.",
    help: "Check the spelling and the version.",
  },
  REGISTRY_UNREACHABLE: {
    status: 502,
    cause: "The package registry did not answer.",
    help: "Check the network and the registry's address, then retry.",
  },
  REGISTRY_REFUSED: {
    status: 502,
    cause: "The package registry answered with an error.",
    help: "Retry later, or ask whoever runs the registry.",
  },
  GIT_FAILED: {
    status: 502,
    cause: "The git repository could not be fetched.",
    help: "Check the address, the branch and your access.",
  },
  SOURCE_MISSING: { status: 404, cause: "The file or folder is not there.", help: "Check the path." },
  ARCHIVE_DAMAGED: {
    status: 422,
    cause: "The package file is damaged or cut short.",
    help: "Download it again, or ask its publisher for a whole one.",
  },
  INTEGRITY_MISMATCH: {
    status: 422,
    cause: "The files are not those that were expected.",
    help: "Do not use this copy. Install it again from a source you trust.",
  },
  SIGNATURE_INVALID: {
    status: 422,
    cause: "The registry's signature of the package, or the proof of its source, does not fit.",
    help: "Do not install it. Tell whoever runs the registry; the package or its description was changed on the way.",
  },
  UNSAFE_PACKAGE: {
    status: 422,
    cause: "The package holds links, paths or sizes that Patchbay does not accept.",
    help: "Do not use this package; tell its author. A folder of your own can be linked instead of copied.",
  },
  SCRIPT_FAILED: {
    status: 422,
    cause: "A script of the package failed while it was being installed.",
    help: "Nothing was installed. The log of the job says more: `patchbay job logs`.",
  },
  NOT_A_PLUGIN: {
    status: 422,
    cause: "The package holds no plugin that Patchbay knows.",
    help: "Check that it is the right package.",
  },
  MANIFEST_INVALID: {
    status: 422,
    cause: "The plugin describes itself in a way that Patchbay cannot accept.",
    help: "Its author must correct the field that is named.",
  },
  MANIFEST_CHANGED: {
    status: 422,
    cause: "The plugin describes itself differently than when it was installed.",
    help: "Install it again and look at what it asks for.",
  },
  INSPECT_TIMEOUT: {
    status: 504,
    cause: "Reading the plugin took too long.",
    help: "Its author must make the import return; nothing was installed.",
  },
  INSPECT_CRASHED: {
    status: 422,
    cause: "The plugin ended its process while being read.",
    help: "Its author must correct it; nothing was installed.",
  },
  KEY_TAKEN: {
    status: 409,
    cause: "Another package already uses that plugin key.",
    help: "Give this one another key, or uninstall the other one first.",
  },
  NAMESPACE_TAKEN: {
    status: 409,
    cause: "Another plugin already uses that tool namespace.",
    help: "Give this one another key, after which its names are made, or uninstall the other one first.",
  },
  DISK_FULL: {
    status: 507,
    cause: "The disk is full.",
    help: "Free some space and retry. Nothing was lost.",
  },
  WRITE_FAILED: {
    status: 500,
    cause: "A file could not be written.",
    help: "Check the permissions of Patchbay's folder.",
  },
  READ_FAILED: {
    status: 500,
    cause: "A file could not be read.",
    help: "Check the permissions of Patchbay's folder.",
  },
  TRUST_REFUSED: {
    status: 403,
    cause: "Nobody known vouches for the plugin, and it wants more than such plugins are given.",
    help: "Read what it is before you take the risk. Then take it: in the dialog, or with --accept-risk.",
  },
  CONSENT_REFUSED: {
    status: 409,
    cause: "The installation was declined.",
    help: "Start it again if you change your mind.",
  },
  JOB_TIMEOUT: {
    status: 504,
    cause: "A phase of the installation took too long.",
    help: "Retry. If it happens again, `patchbay job logs` shows what it did meanwhile.",
  },
  UPDATE_ROLLED_BACK: {
    status: 422,
    cause: "The new version did not start, so the old one is kept.",
    help: "Look at the reason; try again when a newer version is out.",
  },
  NO_OTHER_VERSION: {
    status: 409,
    cause: "No other version is kept.",
    help: "Install the version that you want by name.",
  },

  // Running a plugin
  CONFIG_REFUSED: {
    status: 422,
    cause: "The plugin refused its settings.",
    help: "Change them on its page, or with `patchbay plugin config`.",
  },
  CONFIG_INVALID: {
    status: 422,
    cause: "The settings do not fit the plugin's schema.",
    help: "Change them on its page, or with `patchbay plugin config`.",
  },
  MISSING_SECRET: {
    status: 409,
    cause: "The settings refer to a secret that is not stored.",
    help: "Store the secret.",
  },
  NEEDS_SETUP: { status: 409, cause: "The plugin is not set up yet.", help: "Finish its setup." },
  SECRET_NOT_GIVEN: {
    status: 409,
    cause: "The plugin names a secret that was not given to it.",
    help: "Give it the secret if you want it to have it, or store one of its own in its settings.",
  },
  CREDENTIALS_REFUSED: {
    status: 409,
    cause: "The service does not accept the stored credentials any more.",
    help: "Sign in again.",
  },

  // Setting up
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

  // Tools, hooks, commands
  ARGUMENTS_INVALID: {
    status: 400,
    cause: "The arguments do not fit the tool's schema.",
    help: "See what the tool takes: `patchbay tool list --json`, or the page Debug.",
  },
  TOOL_FAILED: {
    status: 500,
    cause: "The tool ran and failed.",
    help: "Try other arguments; the log of its plugin may say more.",
  },
  TOOL_TIMEOUT: {
    status: 504,
    cause: "The tool took longer than its time limit.",
    help: "Try again, or raise the limit.",
  },
  TOOL_DENIED: {
    status: 403,
    cause: "The agent's policy forbids this tool.",
    help: "Change the policy of the agent if you want to allow it.",
  },
  TOOL_VETOED: {
    status: 403,
    cause: "A hook blocked the call.",
    help: "Look at the settings of the plugin that blocked it.",
  },
  TOOL_REJECTED: { status: 403, cause: "The call was not approved.", help: "Ask again, or allow it." },
  HOOK_BLOCKED: {
    status: 403,
    cause: "A hook that must agree failed, so what it guards was stopped.",
    help: "Look at the log and the settings of the plugin that is named.",
  },
  TURN_LIMIT: {
    status: 409,
    cause: "The turn was ended because it went on for too long without an answer.",
    help: "Send another message to go on, or raise the limit of the agent.",
  },
  EVENT_UNKNOWN: {
    status: 400,
    cause: "There is no agent event of that name.",
    help: "Choose one of the names in the documentation.",
  },
  HOOK_FAILED: {
    status: 500,
    cause: "A plugin's hook ran and failed.",
    help: "Look at the plugin's log.",
  },
  HOOK_TIMEOUT: {
    status: 504,
    cause: "A plugin's hook took longer than its time limit.",
    help: "Look at the plugin's log; raise the limit if it is slow by nature.",
  },
  COMMAND_TIMEOUT: {
    status: 504,
    cause: "The command took longer than its time limit.",
    help: "Try again, or raise the limit.",
  },
  COMMAND_FAILED: {
    status: 500,
    cause: "The command ran and failed.",
    help: "Try it in another way; the log of its plugin may say more.",
  },
  CALL_UNSUPPORTED: {
    status: 501,
    cause: "Plugins of this system do not offer what was asked of this one.",
    help: "Use what the plugin offers; its page lists it.",
  },

  // Models
  MODEL_NOT_SET: { status: 409, cause: "The agent has no model.", help: "Choose a model for the agent." },
  MODEL_KEY_REFUSED: {
    status: 502,
    cause: "The model's provider refused the key.",
    help: "Store a valid key.",
  },
  MODEL_UNREACHABLE: {
    status: 502,
    cause: "The model's provider did not answer.",
    help: "Check the address and the network.",
  },
  MODEL_FAILED: {
    status: 502,
    cause: "The model's provider answered with an error.",
    help: "Try again. If it goes on, try another model, or ask the provider.",
  },
  SCRIPT_INVALID: {
    status: 422,
    cause: "The script of the scripted model cannot be read.",
    help: "Correct the line that is named.",
  },

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

export type ErrorCode = keyof typeof errorCatalogue;
export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/**
 * A failure as a value: it is sent between processes, stored as `lastError`, and shown on the screen. Its schema is in
 * `problem.ts`.
 */
export interface Problem {
  code: ErrorCode;
  /** One sentence in the person's words: what happened, with the names in it. */
  message: string;
  /** The next step, as a sentence. */
  help?: string | undefined;
  /** Technical details, folded away on the screen: stack, output, both values of a conflict. */
  details?: Record<string, unknown> | undefined;
}

/** A failure as an exception, inside one process. Before it is sent to another process it becomes a {@link Problem}. */
export class PatchbayError extends Error {
  readonly code: ErrorCode;
  readonly help: string;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { help?: string; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PatchbayError";
    this.code = code;
    this.help = options.help ?? errorCatalogue[code].help;
    this.details = options.details;
  }

  toProblem(): Problem {
    return {
      code: this.code,
      message: this.message,
      help: this.help,
      ...(this.details && { details: this.details }),
    };
  }
}

/** Any thrown value as a {@link Problem}. `fallback` is the code for values that are no PatchbayError. */
export function toProblem(error: unknown, fallback: ErrorCode = "INTERNAL"): Problem {
  if (error instanceof PatchbayError) return error.toProblem();
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    code: fallback,
    message,
    help: errorCatalogue[fallback].help,
    ...(stack && { details: { stack } }),
  };
}

export function fromProblem(problem: Problem): PatchbayError {
  return new PatchbayError(problem.code, problem.message, { help: problem.help, details: problem.details });
}
