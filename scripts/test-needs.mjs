/** What the suites need from the machine, and how to get it where it is missing. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Chromium's own form without a window: the same engine, and a quarter less work for the processors in each spec. */
const headless = "/usr/bin/chromium-headless-shell";
const browsers = [
  process.env.CHROMIUM_PATH,
  headless,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

const needs = [
  {
    name: "Chromium",
    packages: ["chromium-headless-shell"],
    found: () => browsers.find((path) => path && existsSync(path)),
    // Any other will do where apt cannot bring this one.
    best: () => process.platform !== "linux" || process.env.CHROMIUM_PATH || existsSync(headless),
  },
  // The walls around plugins.
  { name: "bubblewrap", on: "linux", packages: ["bubblewrap"], found: () => runs("bwrap", "--version") },
  // Those of other systems, which need it when they are tried on Linux.
  { name: "socat", on: "linux", packages: ["socat"], found: () => runs("socat", "-V") },
  { name: "git", packages: ["git"], found: () => runs("git", "--version") },
  // For plugins of other systems, which are scripts in these languages.
  { name: "bash", packages: ["bash"], found: () => runs("bash", "--version") },
  // Shells that complete Patchbay's commands.
  { name: "zsh", on: "linux", packages: ["zsh"], found: () => runs("zsh", "--version") },
  { name: "fish", on: "linux", packages: ["fish"], found: () => runs("fish", "--version") },
  {
    name: "Python 3 with venv",
    packages: ["python3", "python3-venv"],
    found: () => runs("python3", "-c", "import ensurepip, venv"),
  },
  // Real servers that the channels are tested against.
  { name: "ngircd", packages: ["ngircd"], found: () => runs("ngircd", "--version") },
  { name: "InspIRCd", packages: ["inspircd"], found: () => runs("inspircd", "--version") },
  { name: "Atheme", packages: ["atheme-services"], found: () => runs("atheme-services", "-v") },
  {
    name: "prosody",
    // Its archive of messages is in SQLite, too.
    packages: ["prosody", "lua-dbi-sqlite3"],
    found: () => runs("prosodyctl", "--help") && runs("lua5.4", "-e", 'require "dbd.sqlite3"'),
  },
  {
    name: "ejabberd",
    on: "linux",
    // Its archive of messages is in SQLite.
    packages: ["ejabberd", "erlang-p1-sqlite3"],
    found: () =>
      existsSync("/usr/sbin/ejabberdctl") &&
      runs("erl", "-noshell", "-eval", "halt(case code:which(sqlite3) of non_existing -> 1; _ -> 0 end)."),
  },
  { name: "a C compiler", packages: ["gcc", "libc6-dev"], found: () => runs("cc", "--version") },
];

/**
 * Finds or installs everything, else ends the process with the names of what is missing.
 * @returns {Promise<{env: Record<string, string>}>} environment for the suites
 */
export async function prepare() {
  const here = needs.filter(({ on = process.platform }) => on === process.platform);
  const missing = here.filter((need) => !(need.best ?? need.found)());
  if (missing.length > 0) install(missing.flatMap((need) => need.packages));
  const stillMissing = here.filter((need) => !need.found());
  if (stillMissing.length > 0) {
    console.error(
      `The suites need ${stillMissing.map((need) => need.name).join(" and ")}, which this machine lacks and apt could not bring. ` +
        `Install ${stillMissing.length === 1 ? "it" : "them"} and run npm test again.`,
    );
    console.log("0 passed, 1 failed");
    process.exit(1);
  }
  return { env: { CHROMIUM_PATH: needs[0].found() } };
}

function install(packages) {
  if (process.platform !== "linux" || !runs("apt-get", "--version")) return;
  const root = process.getuid?.() === 0;
  const sudo = root ? [] : runs("sudo", "-n", "true") ? ["sudo", "-n"] : undefined;
  if (!sudo) return;
  console.log(`Installing ${packages.join(", ")} with apt …`);
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, "apt-get", ...args];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    return spawnSync(command, rest, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
  };
  apt("update");
  apt("install", "-y", "--no-install-recommends", ...packages);
}

function runs(command, ...args) {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
