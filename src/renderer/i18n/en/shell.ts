export const shellStrings = {
  "common.close": "Close",
  "common.cancel": "Cancel",
  "common.back": "Back",
  "common.dismiss": "Dismiss",
  "common.copy": "Copy",
  "common.copied": "Copied",
  "common.copyFailed": "Could not copy",
  "common.yes": "Yes",
  "common.no": "No",

  "rail.label": "Main",
  "rail.plugins": "Plugins",
  "rail.conversation": "Conversation",
  "rail.approvals": "Approvals",

  "theme.label": "Light or dark",
  "theme.system": "As the system",
  "theme.light": "Light",
  "theme.dark": "Dark",

  "connection.live": "Connected · {{version}}",
  "connection.connecting": "Connecting…",
  "connection.lost": "Reconnecting…",
  "connection.refused": "Not connected",
  "connection.lostTitle": "The connection to Patchbay is lost. Reconnecting…",
  "connection.lostText": "What you see may be out of date. Nothing that you confirmed is lost.",
  "connection.since": "{{seconds}} s",
  "connection.callLost": "The connection to Patchbay was lost before it answered.",
  "connection.callLostHelp": "Wait until it is back, look at what is shown then, and try again.",
  "connection.openingTitle": "Opening Patchbay…",
  "connection.openingText": "Waiting for the core to answer. This page goes on by itself.",
  "connection.refusedTitle": "This page needs its own link",
  "connection.refusedText":
    "Patchbay lets a page in only through the link that it printed when it was started. Start `patchbay serve` (or look where it runs), and open that link in this browser.",

  "problem.details": "Technical details",
  "problem.more": "Details",

  "field.needed": "Fill this in.",
  "field.required": "required",
  "field.optional": "optional",
  "field.choose": "Choose…",
  "field.unsupported": "This setting cannot be shown here: {{reason}}",

  "time.justNow": "just now",
  "time.left": "{{seconds}} seconds left to answer",
} as const;
