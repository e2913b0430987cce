export const outsideStrings = {
  "debug.tab.calls": "Calls",
  "outside.title": "Calls outside of turns",
  "outside.text":
    "Made by hand, at a terminal or by another program. The newest {{most}} stay until Patchbay is closed.",
  "outside.empty": "No calls outside of turns",
  "outside.emptyText":
    "What you call on the tab Tools or at a terminal, and what other programs call, stands here.",
  "outside.byYou": "by you",
  "outside.byProgram": "by you through {{program}}",
  "outside.byChat": "from the chat {{channel}}",
  "outside.tool.running": "{{tool}} was called {{by}}, and it is not over yet.",
  "outside.tool.executed": "{{tool}} was called {{by}}, and it worked.",
  "outside.tool.failed": "{{tool}} was called {{by}}, and it failed: {{problem}}",
  "outside.tool.vetoed": "{{tool}} was called {{by}}, and it was blocked: {{problem}}",
  "outside.tool.denied": "{{tool}} was called {{by}}. That is forbidden: {{problem}}",
  "outside.tool.rejected": "{{tool}} was called {{by}}, and it was not allowed.",
  "outside.tool.timed_out": "{{tool}} was called {{by}}, and took too long: {{problem}}",
  "outside.running": "running",
  "outside.figure.call": "Call",
  "outside.figure.tool": "Tool",
};
