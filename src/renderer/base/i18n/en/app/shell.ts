export const shellStrings = {
  "common.close": "Close",
  "common.cancel": "Cancel",
  "common.back": "Back",
  "common.dismiss": "Dismiss",
  "common.copy": "Copy",
  "common.copied": "Copied",
  "common.copyFailed": "Could not copy",
  "common.clear": "Clear",
  "common.yes": "Yes",
  "common.no": "No",

  "rail.label": "Main",
  "rail.plugins": "Plugins",
  "rail.discover": "Discover",
  "rail.conversation": "Conversation",
  "rail.debug": "Debug",
  "rail.approvals": "Approvals",

  "broken.title": "This screen could not be drawn",
  "broken.text":
    "Everything else goes on: your plugins and agents are not touched. Load it again. If it stays like this, gather the diagnostics in Settings and report it with them.",
  "broken.reload": "Load again",

  "theme.label": "Light or dark",
  "theme.system": "As the system",
  "theme.light": "Light",
  "theme.dark": "Dark",

  "connection.live": "Connected · {{version}}",
  "connection.connecting": "Connecting…",
  "connection.silent": "No answer…",
  "connection.lost": "Reconnecting…",
  "connection.refused": "Not connected",
  "connection.silentTitle": "Patchbay does not answer.",
  "connection.silentText":
    "What you see may be out of date. What you press now is done when it answers again.",
  "connection.lostTitle": "The connection to Patchbay is lost. Reconnecting…",
  "connection.lostText": "What you see may be out of date. Nothing that you confirmed is lost.",
  "connection.successorTitle": "Patchbay was started with a new link.",
  "connection.successorText": "What you see is from before. Open the link that it printed this time.",
  "connection.since": "{{seconds}} s",
  "connection.callLost": "The connection to Patchbay was lost before it answered.",
  "connection.callLostHelp": "Wait until it is back, look at what is shown then, and try again.",
  "connection.openingTitle": "Opening Patchbay…",
  "connection.openingText": "Waiting for the core to answer. This page goes on by itself.",
  "connection.refusedTitle": "This page needs its own link",
  "connection.refusedText":
    "Patchbay lets a page in only through a link that it printed, once. Start `patchbay serve`, or look for the newest link where it runs, and open it in this browser. `patchbay session link` prints one more.",

  "person.title": "Is it you?",
  "person.act.install": "A plugin is to be installed.",
  "person.act.backup": "All secrets are to be written into a file.",
  "person.act.passphrase": "The passphrase of the secrets is to be changed.",
  "person.act.policy": "What an agent may do without asking is to be changed.",
  "person.act.deciding": "Chats are to decide about waiting calls.",
  "person.act.grant": "A plugin or an agent is to get more than it has.",
  "person.act.risk": "Patchbay is to go on in spite of a known risk.",
  "person.act.run": "A call of a tool is to be allowed.",
  "person.act.pause": "A turn of an agent is to be stopped, and what it does changed.",
  "person.act.screen": "One more page is to be opened.",
  "person.act.program": "Another program is to be let in to use an agent's tools.",
  "person.act.send": "What happens in turns is to be sent elsewhere each time.",
  "person.field.code": "Code",
  "person.field.passphrase": "Passphrase of your secrets",
  "person.field.either": "Code, or the passphrase of your secrets",
  "person.help.code":
    "Six digits, shown just now in the terminal where Patchbay runs. You are asked once in a quarter of an hour.",
  "person.help.passphrase": "Only you know it. You are asked once in a quarter of an hour.",
  "person.help.either":
    "The code is shown in the terminal where Patchbay runs. You are asked once in a quarter of an hour.",
  "person.confirm": "It is me",

  "screens.title": "Pages that may use Patchbay",
  "screens.text":
    "Each was opened by a link of its own and ends after thirty days without use. A link for one more: {{command}}.",
  "screens.browserOn": "{{browser}} on {{system}}",
  "screens.browser": "A browser",
  "screens.current": "This page",
  "screens.used": "Used {{ago}}",
  "screens.end": "End",

  "deciding.title": "Deciding from chats",
  "deciding.label": "Owners may decide waiting calls from this channel",
  "deciding.text":
    "Owners who are named in the settings may allow or refuse waiting calls from their chat with this channel. Who controls the channel’s service or this plugin could then decide in their name.",

  "problem.details": "Technical details",
  "problem.more": "Details",

  "field.needed": "Fill this in.",
  "field.required": "required",
  "field.optional": "optional",
  "field.choose": "Choose…",
  "field.unsupported": "This setting has no field here: it can be set as JSON.",

  "time.justNow": "just now",
  "time.left": "{{seconds}} seconds left to answer",
} as const;
