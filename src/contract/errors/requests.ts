/** What is wrong with a request, and names that were not found. */
export const requestErrors = {
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
  TURN_NOT_FOUND: {
    status: 404,
    cause: "There is no record of that turn; it may have been dropped to make room.",
    help: "Choose a turn from the list of the conversation.",
  },
  BREAKPOINT_NOT_FOUND: {
    status: 404,
    cause: "That breakpoint is no longer there.",
    help: "Look at the list of breakpoints again.",
  },
  PAUSE_NOT_FOUND: {
    status: 404,
    cause: "The turn is no longer stopped there: it went on, or was stopped.",
    help: "Look at the conversation again.",
  },
  PAUSE_MISFIT: {
    status: 400,
    cause: "What was given does not fit what the turn is stopped at.",
    help: "Change what is named, and go on again.",
  },
  CONDITION_INVALID: {
    status: 400,
    cause: "The condition of a breakpoint cannot be read.",
    help: "Correct it at the place that is marked.",
  },
  SESSION_NOT_FOUND: {
    status: 404,
    cause: "There is no conversation with that id.",
    help: "Start a new one.",
  },
  ENTRY_NOT_FOUND: {
    status: 404,
    cause: "This conversation has no such entry.",
    help: "Open its tree again, and choose one that is there.",
  },
  SESSION_EXISTS: {
    status: 409,
    cause: "There is another conversation with the same id.",
    help: "Nothing was overwritten. Delete the one that is there, if you want the other one back.",
  },
  REMOVED_NOT_FOUND: {
    status: 404,
    cause: "That is not kept as removed any more: it was restored or deleted for good.",
    help: "Look at the list under Removed, or run `patchbay removed list`.",
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
  OTHER_ROOM: {
    status: 409,
    cause: "A channel said that a conversation belongs to another room than before.",
    help: "Nothing of it was answered. Ask who wrote the plugin; a conversation stays in the room in which it began.",
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
} as const;
