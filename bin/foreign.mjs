/**
 * Variables by which the environment would decide what a Node runs, or whom it trusts. Whoever can write a profile could set
 * them, and some name folders that others can write to. `test/hostile/foreign-code.test.ts` tries those that can be tried.
 */
const foreign = new Set([
  // Code, or a debugger.
  "NODE_OPTIONS",
  "NODE_REPL_EXTERNAL_MODULE",
  "NODE_INSPECT_RESUME_ON_START",
  "ELECTRON_RUN_AS_NODE",
  // Compiled code, which Node takes for that of a file by a sum of the file that anybody can work out.
  "NODE_COMPILE_CACHE",
  // Libraries of the same name as those that ours look for and do without (`ws` looks for `bufferutil`).
  "NODE_PATH",
  // OpenSSL loads the native libraries that its settings name.
  "OPENSSL_CONF",
  "OPENSSL_ENGINES",
  "OPENSSL_MODULES",
  // Tables that ICU follows without checking them.
  "NODE_ICU_DATA",
  // Every certificate would be right. Authorities of one's own are named by NODE_EXTRA_CA_CERTS.
  "NODE_TLS_REJECT_UNAUTHORIZED",
]);

/** @returns {string[]} the names of those that are set */
export function foreignIn(environment) {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && foreign.has(asKnown(name)) ? [name] : [],
  );
}

/**
 * The environment without them. It says what is missing, because Patchbay tells the person (src/main/platform/meddling.ts).
 * @returns {Record<string, string>}
 */
export function withoutForeign(environment) {
  const rest = Object.entries(environment).filter(([name]) => !foreign.has(asKnown(name)));
  // Those that were left out on the way here, too.
  const leftOut = [environment.PATCHBAY_LEFT_OUT, ...foreignIn(environment)].filter(Boolean);
  return { ...Object.fromEntries(rest), PATCHBAY_LEFT_OUT: leftOut.join(",") };
}

/** Windows does not tell capitals from small letters in these names. */
function asKnown(name) {
  return process.platform === "win32" ? name.toUpperCase() : name;
}
