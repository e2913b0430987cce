/**
 * Environment variables that change what every program does, its own loader included. A server that is brought from another
 * program does not get them; they are named to the person instead.
 */
const dangerous =
  /^(?:LD_.*|DYLD_.*|GCONV_PATH|BASH_ENV|ENV|SHELLOPTS|PS4|PROMPT_COMMAND|IFS|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|ELECTRON_.*|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|PATH|PATHEXT|COMSPEC|SYSTEMROOT|__PROTO__)$/i;

export function isDangerousName(name: string): boolean {
  return dangerous.test(name);
}

/** Whether a program does what a text says, instead of a server's work. */
export function isShell(command: string): boolean {
  const name = command.split(/[\\/]/).at(-1) ?? command;
  return /^(?:sh|bash|zsh|dash|fish|ksh|csh|cmd|powershell|pwsh|env|eval|sudo|doas|osascript|wscript|cscript)(?:\.exe)?$/i.test(
    name,
  );
}
