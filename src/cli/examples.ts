import type { Command } from "commander";

/** Examples at the end of the help, by the words of the command. A line begins with `$`, or explains the one before. */
const examples: Record<string, string[]> = {
  "": [
    "$ patchbay serve --open",
    "$ patchbay plugin install irc",
    "$ patchbay agent create Alpha --model openai:gpt-5",
    "$ patchbay plugin enable irc --agent alpha",
    '$ eval "$(patchbay completion bash)"',
  ],
  plugin: [
    "$ patchbay plugin install http",
    "$ patchbay plugin enable http --agent helper",
    "$ patchbay plugin list --agent helper",
  ],
  "plugin install": [
    "$ patchbay plugin install irc                     # comes with Patchbay",
    "$ patchbay plugin install some-plugin@^2          # from npm",
    "$ patchbay plugin install ./my-plugin --link      # a folder, used in place",
    "$ patchbay plugin install https://example.com/plugin.git --allow-scripts",
    "$ patchbay plugin install someone/plugins#v2:weather   # one folder of a repository, at a tag",
  ],
  "plugin update": [
    "$ patchbay plugin update http",
    "$ patchbay plugin update fledge-many --allow-scripts   # builds it after all",
  ],
  "plugin config": [
    "$ patchbay plugin config http --agent helper --set timeoutMs=5000",
    "$ echo $TOKEN | patchbay plugin config http --agent helper --secret token",
  ],
  "plugin people": [
    "$ patchbay plugin people irc --agent helper",
    "$ patchbay plugin people irc approve 7K4-2MD --agent helper",
    "$ patchbay plugin people telegram remove 123456789 --agent helper",
  ],
  "plugin logs": ["$ patchbay plugin logs irc --agent helper --level warn --follow"],
  job: ["$ patchbay job list", "$ patchbay job logs fledge-many", "$ patchbay job logs --follow"],
  agent: [
    "$ patchbay agent create Alpha --model anthropic:claude-sonnet-4-5",
    '$ patchbay agent prompt alpha "What is in this folder?"',
  ],
  "agent create": [
    "$ patchbay agent create Alpha --model openai-compatible:llama3@http://localhost:11434/v1",
    "$ patchbay agent create Alpha --workspace ~/notes --instructions 'Answer briefly.'",
  ],
  "agent update": ["$ patchbay agent update alpha --allow 'http__*' --deny shell"],
  "agent voice": [
    "$ patchbay agent voice alpha --listen whisper-1@https://api.openai.com/v1 --listen-key '${OPENAI_API_KEY}'",
    "$ patchbay agent voice alpha --speak kokoro@http://localhost:8880/v1 --voice af_bella --when always",
  ],
  "agent prompt": [
    '$ patchbay agent prompt alpha "What is in this folder?" --yes',
    '$ patchbay agent prompt alpha "What is on this picture?" --attach tides.png',
  ],
  "agent session": [
    "$ patchbay agent session list alpha harbour        # whose title or words have it",
    "$ patchbay agent session export alpha mwxc0ga3 harbour.md",
  ],
  mcp: [
    "$ patchbay mcp --agent helper                      # what a program's settings name as the command of a server",
  ],
  tool: [
    "$ patchbay tool list --agent alpha",
    `$ patchbay tool call read_file --agent alpha --input '{"path": "notes.md"}' --yes`,
  ],
  trace: [
    "$ patchbay trace list --agent helper",
    "$ patchbay trace show 9e403199 --agent helper        # its id may be cut short",
    "$ patchbay trace export 9e403199 turn.html --agent helper --as html",
  ],
  "tool call": [
    `$ patchbay tool call shell --agent alpha --input '{"command": "ls"}' --yes`,
    `$ patchbay tool call read_file --agent alpha --input '{"path": "notes.md"}' --yes --json`,
    `$ patchbay tool call list_files --agent alpha --straight --times 100   # how long it takes without hooks`,
  ],
  "command run": ["$ patchbay command run /help --agent alpha"],
  "hook fire": [
    `$ patchbay hook fire tool.before@v1 --agent alpha --input '{"toolName": "shell", "args": {"command": "rm -rf build"}}'`,
  ],
  secret: ["$ patchbay secret set OPENAI_API_KEY", "$ patchbay secret list"],
  "import openhermit": [
    "$ patchbay import openhermit",
    "$ patchbay import openhermit --from ~/.openhermit --yes",
    "$ patchbay import openhermit --channels channels.json --agent alpha --yes",
  ],
  "import mcp": [
    "$ patchbay import mcp",
    "$ patchbay import mcp --from cursor --yes --agent helper",
    "$ patchbay import mcp --from ./servers.json --yes",
  ],
  "import dirge": ["$ patchbay import dirge", "$ patchbay import dirge --yes --agent helper"],
  "import flowly": ["$ patchbay import flowly", "$ patchbay import flowly --yes --agent helper"],
  "import fledge": ["$ patchbay import fledge", "$ patchbay import fledge --yes --allow-scripts"],
  serve: ["$ patchbay serve --open", "$ patchbay serve --port 8080 --safe"],
  completion: [
    "$ echo 'eval \"$(patchbay completion bash)\"' >> ~/.bashrc",
    "$ echo 'eval \"$(patchbay completion zsh)\"' >> ~/.zshrc",
    "$ patchbay completion fish > ~/.config/fish/completions/patchbay.fish",
  ],
};

/** Adds the examples to the help of the commands that have some. @throws Error for examples of a command that is not there */
export function addExamples(program: Command): void {
  for (const [words, lines] of Object.entries(examples)) {
    const command = words
      .split(" ")
      .filter((word) => word !== "")
      .reduce<Command | undefined>((at, word) => at?.commands.find((one) => one.name() === word), program);
    if (!command) throw new Error(`there is no command ${words}`);
    command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }
}
