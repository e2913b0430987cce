export const toolStrings = {
  "tools.does.shell": "Runs a command on this computer, in the agent's folder.",
  "tools.does.read_file": "Reads a text file of the agent's folder.",
  "tools.does.list_files": "Lists what lies in a folder of the agent.",
  "tools.does.write_file": "Writes a text file into the agent's folder and replaces what was there.",
  "tools.does.send_file": "Sends a file of the agent's folder to the chat.",
  "tools.inItsWords": "{{plugin}} says of it: “{{text}}”",
  "tools.always": "“Always” lets {{agent}} use {{tool}} from now on without asking, whatever the arguments.",
  "tools.alwaysFor":
    "“Always” lets {{agent}} use {{tool}} from now on without asking when {{user}} on {{channel}} wants it, whatever the arguments.",
  "tools.foldedAbove": "{{size}} of the arguments are folded.",
  "tools.showFolded": "Show everything",
} as const;
