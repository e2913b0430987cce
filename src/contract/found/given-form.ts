/** Programs that a command line of a server usually begins with. */
export const launchers =
  /^(?:npx|bunx|bun|pnpm|pnpx|yarn|npm|uvx|uv|pipx|docker|podman|node|deno|python3?|dnx|dotnet|go|cargo|java|ruby|php|cmd|sh|bash|zsh|env|claude|gemini|codex|code|code-insiders)(?:\.exe|\.cmd)?$/i;

/** Whether a text is meant as a command line, by its first word and by having several. */
export function isCommandLine(text: string): boolean {
  const line = text
    .trim()
    .replace(/^\$\s+/, "")
    .replace(/^(?:[A-Za-z_][A-Za-z0-9_]*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/, "");
  const [, quoted, plain = "", rest] = /^(?:["']([^"']+)["']|(\S+))\s+(\S[\s\S]*)$/.exec(line) ?? [];
  if (rest === undefined) return false;
  const first = quoted ?? plain;
  if (launchers.test(first.split(/[\\/]/).at(-1) ?? ""))
    return quoted !== undefined || !/^@|:\/\//.test(first);
  return /^(?:[A-Za-z]:)?(?:\.{0,2}[\\/])/.test(first) && /(?:^|\s)--?[A-Za-z]/.test(rest);
}

/** Whether a text is a piece of some program's settings, by its first signs. */
export function isPasted(text: string): boolean {
  return /^\s*(?:```|\{|\/\/|\/\*|"[^"]+"\s*:|\[mcp_servers|(?:mcpServers|servers|context_servers|extensions|mcp)\s*:\s*(?:[\n{]|$))/.test(
    text,
  );
}

/** Whether a text is a link with which another program would add a server. */
export function isAddLink(text: string): boolean {
  return /^(?:cursor|vscode|vscode-insiders|lmstudio|kiro|windsurf):|^https:\/\/(?:www\.)?cursor\.com\/(?:[a-z]+\/)?install-mcp\?|^https:\/\/(?:insiders\.)?vscode\.dev\/redirect/i.test(
    text.trim(),
  );
}

/** Whether a text describes servers, instead of naming a package, a file, a folder or an address. */
export function isGiven(text: string): boolean {
  return isAddLink(text) || isPasted(text) || isCommandLine(text);
}
