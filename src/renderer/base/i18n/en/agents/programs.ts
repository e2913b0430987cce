export const programStrings = {
  "programs.intro":
    "Claude Desktop, editors and other programs that speak MCP can use this agent's tools, and what its plugins have in prompts and resources. Rules, guards and approvals hold for them as they do here.",
  "programs.palette": "Claude Desktop, editors: MCP",
  "programs.loading": "Looking how programs connect…",
  "programs.started": "Programs that start it themselves",
  "programs.which": "Which program",
  "programs.kind.claude-desktop": "Claude Desktop",
  "programs.kind.cursor": "Cursor",
  "programs.kind.vs-code": "VS Code",
  "programs.kind.other": "Another program",
  "programs.where.claude-desktop":
    "In Claude Desktop, open Settings › Developer › Edit config, add this to claude_desktop_config.json, and start Claude Desktop again.",
  "programs.where.cursor": "Add this to .cursor/mcp.json in your home folder or in a project.",
  "programs.where.vs-code":
    "Add this to .vscode/mcp.json in a project, or by the command “MCP: Open User Configuration”.",
  "programs.where.other":
    "Most programs read this shape. Where yours has a form, enter the command and its arguments.",
  "programs.settingsOf": "For the settings of {{program}}",
  "programs.asking":
    "What asks first waits under Approvals here, and in the program where it can show questions. “Always” is said here alone.",
  "programs.http": "Programs that connect over HTTP",
  "programs.httpText":
    "A program gets a token for the tools, prompts and resources of this agent and nothing else. It works while Patchbay runs, and until you take it back.",
  "programs.copyAddress": "Copy the address",
  "programs.letIn": "Programs that were let in",
  "programs.name": "Name of the program",
  "programs.namePlaceholder": "Such as: notes app",
  "programs.add": "Let it in",
  "programs.made": "{{program}} is let in. Its token is shown this once: copy it now.",
  "programs.unused": "let in {{ago}}, not used yet",
  "programs.used": "last used {{ago}}",
  "programs.through": "asked through {{program}}",
  "who.program": "you, through {{program}}",
  "programs.end": "Take back",
  "programs.endOf": "Take back what {{program}} may do",
};
