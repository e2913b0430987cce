export const outsideStrings = {
  "debug.tab.calls": "Calls",
  "outside.title": "Calls outside of turns",
  "outside.text":
    "Made by hand, at a terminal or by another program. The newest {{most}} stay until Patchbay is closed.",
  "outside.empty": "No calls outside of turns",
  "outside.emptyText":
    "What you call on the tab Tools or at a terminal, and what other programs call, stands here.",
  "outside.byYou": "by you",
  "outside.chat": "from the chat {{channel}}",
  "outside.running": "running",
  "outside.figure.call": "Call",
  "outside.figure.tool": "Tool",
};
