/**
 * What a host process gets of the app's environment: where programs, the home folder and temporary files are, and the
 * language. Nothing else, because that is where people keep tokens.
 */
const PASSED_ON = [
  "PATH",
  "HOME",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  // Windows programs do not start without these.
  "SystemRoot",
  "SystemDrive",
  "windir",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramData",
];

export function hostEnvironment(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = source[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
