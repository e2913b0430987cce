import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { outermost } from "./mounts.ts";

/** What one process sees of the files: options for bubblewrap, in the order in which they are applied. */

/** Folders in which systems keep libraries and programs. Where one is a link (`/lib` to `usr/lib`), it is one inside, too. */
const systemFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** What programs need of `/etc`: none of it tells more than how the system is set up. */
const etcForPrograms = [
  "alternatives",
  "ca-certificates",
  "debian_version",
  "java",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "lsb-release",
  "magic",
  "mime.types",
  "os-release",
  "pki",
  "protocols",
  "python3",
  "services",
  "ssl",
  "terminfo",
  "timezone",
];

/** What every process gets: certificates, and the time zone. */
const etcForAll = ["localtime", "ssl", "pki", "ca-certificates"];

/** The links at the root of the file system, and the libraries that this Node itself is linked with. */
export function libraries(): string[] {
  return [
    ...systemLinks(),
    ...readOnly(libraryFolders()),
    ...etc(etcForAll),
    ...readOnly(["/usr/share/zoneinfo"]),
  ];
}

/** All libraries and programs of the system, and those in the folders of a search path. */
export function everyProgram(path: string): string[] {
  const folders = ["/usr", "/opt", ...plainSystemFolders(), ...personsPrograms(path)];
  return [...systemLinks(), ...readOnly(outermost(folders)), ...etc(etcForPrograms)];
}

/** Folders with programs that the person added: languages with their tools, and those of a search path. */
export function personsPrograms(path: string): string[] {
  return [...toolchains(), ...path.split(delimiter).filter(isOwnFolder)];
}

/** Folders in a home in which managers of versions keep languages and their tools, and nothing that is a secret. */
const toolchainFolders = [
  ".rustup",
  ".pyenv",
  ".rbenv",
  ".nvm",
  ".volta",
  ".asdf",
  ".sdkman",
  ".deno",
  ".bun",
];

function toolchains(): string[] {
  return toolchainFolders.map((name) => join(homedir(), name));
}

/** All libraries of the system, and of its programs only the named ones with what runs them. */
export function namedPrograms(names: readonly string[], path: string): string[] {
  const shared = [
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/share",
    ...plainSystemFolders("lib"),
  ];
  return [
    ...systemLinks(),
    ...readOnly(shared),
    ...etc(etcForPrograms),
    ...readOnly(filesOfPrograms(names, path)),
  ];
}

/** The files of the named programs, and of what runs those that are scripts. */
export function filesOfPrograms(names: readonly string[], path: string): string[] {
  return names.flatMap((name) => [...withInterpreters(locate(name, path))]);
}

/** Options that show these paths, which must not be changed there. Those that do not exist are left out. */
export function readOnly(paths: Iterable<string>): string[] {
  return [...new Set(paths)].flatMap((path) => ["--ro-bind-try", path, path]);
}

function etc(names: readonly string[]): string[] {
  return readOnly(names.map((name) => `/etc/${name}`));
}

function systemLinks(): string[] {
  return systemFolders.flatMap((folder) => {
    const target = linkTarget(folder);
    return target === null ? [] : ["--symlink", target, folder];
  });
}

function plainSystemFolders(beginning = ""): string[] {
  return systemFolders.filter(
    (folder) => folder.startsWith(`/${beginning}`) && existsSync(folder) && linkTarget(folder) === null,
  );
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** Folders of a search path that people added, such as `~/.cargo/bin`; not one with the whole home folder in it. */
function isOwnFolder(folder: string): boolean {
  const holdsHome = `${homedir()}/`.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
  return isAbsolute(folder) && !folder.startsWith("/usr/") && !systemFolders.includes(folder) && !holdsHome;
}

let known: string[] | undefined;

/** The folders of the libraries that this process has loaded: a second Node needs the same ones. */
function libraryFolders(): string[] {
  if (known) return known;
  const folders = new Set<string>();
  for (const line of readFileSync("/proc/self/maps", "utf8").split("\n")) {
    const file = /\s(\/\S+\.so(?:\.[\d.]+)?)$/.exec(line)?.[1];
    if (file) folders.add(dirname(file));
  }
  // The loader is named by the program file under this path, wherever it really lies.
  if (linkTarget("/lib64") === null) folders.add("/lib64");
  else folders.add(join("/", linkTarget("/lib64") as string));
  known = [...folders];
  return known;
}

/** Only what can be run: a name that leads to another file, such as a key, shows nothing. */
function locate(name: string, path: string): string | null {
  if (name.includes("/") && (!isAbsolute(name) || name.split("/").includes(".."))) return null;
  const places = isAbsolute(name) ? [name] : path.split(delimiter).map((folder) => join(folder, name));
  return places.find((place) => isAbsolute(place) && isProgram(place)) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A program under each of its names, and what its first line says that it is run by. */
function* withInterpreters(file: string | null, depth = 0): Generator<string> {
  if (file === null || depth > 3) return;
  const spelled = throughSystemLinks(file);
  yield spelled;
  const real = realpathSync(file);
  if (real !== spelled) yield real;
  const words = /^#!\s*(\S+)(?:\s+(\S+))?/.exec(firstBytes(real));
  if (!words) return;
  const [, interpreter, argument] = words;
  yield* withInterpreters(isProgram(interpreter as string) ? (interpreter as string) : null, depth + 1);
  if (interpreter?.endsWith("/env") && argument)
    yield* withInterpreters(locate(argument, process.env.PATH ?? "/usr/bin:/bin"), depth + 1);
}

/** `/usr/bin/sh` for `/bin/sh` where `/bin` is a link: nothing can be mounted below a link. */
function throughSystemLinks(file: string): string {
  const folder = systemFolders.find((each) => dirname(file) === each);
  const target = folder === undefined ? null : linkTarget(folder);
  return target === null ? file : join("/", target, basename(file));
}

function firstBytes(file: string): string {
  try {
    return readFileSync(file).subarray(0, 200).toString("latin1");
  } catch {
    return "";
  }
}
