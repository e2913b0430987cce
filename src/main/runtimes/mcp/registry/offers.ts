import { type ServerWay, serverWaySchema } from "../../../../contract/index.ts";
import type { Part, ServerFile, ServerInput } from "../server/server-file.ts";
import type { EntryArgument, EntryPackage, EntryRemote, NamedValue, RegistryEntry } from "./entry.ts";
import { provenPublisher } from "./publisher.ts";

/** One way to have a server: what is fetched for it, and how it is started or reached. */
export interface ServerOffer {
  kind: ServerWay;
  file: ServerFile;
  /** A package that Patchbay fetches itself, at exactly this version; null: the program that starts it fetches it. */
  fetch: { npm: string; registry?: string } | { bundle: string; sha256: string } | null;
}

/** Kinds of packages that Patchbay can run, the surest first: its own Node, a bundle, an address, then other programs. */
const order = serverWaySchema.options;

/** The ways to have a server that Patchbay can take, the best first; and the kinds of those that it cannot. */
export function offersOf(entry: RegistryEntry): { offers: ServerOffer[]; unknown: string[] } {
  const { packages, remotes } = entry.server;
  const unknown: string[] = [];
  const offers = [
    ...packages.flatMap((one) => {
      const offer = offerOf(entry, one);
      if (offer === null) unknown.push(one.registryType);
      return offer ?? [];
    }),
    ...remotes.flatMap((one) => {
      const offer = remoteOf(entry, one);
      if (offer === null) unknown.push(one.type);
      return offer ?? [];
    }),
  ];
  offers.sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
  return { offers, unknown: [...new Set(unknown)] };
}

function offerOf(entry: RegistryEntry, pack: EntryPackage): ServerOffer | null {
  const { transport, identifier, version } = pack;
  // A package that is started and then reached at an address of this computer is not taken yet.
  if (transport && transport.type !== "stdio") return null;
  const inputs = new Inputs();
  const env = Object.fromEntries(
    (pack.environmentVariables ?? []).map((variable) => [
      variable.name,
      inputs.part(variable, variable.name),
    ]),
  );
  const runtime = (pack.runtimeArguments ?? []).flatMap((one) => inputs.argument(one));
  const own = (pack.packageArguments ?? []).flatMap((one) => inputs.argument(one));
  const exact = version ? `${identifier}@${version}` : identifier;
  const program = (command: string, args: Part[]) =>
    fileOf(entry, inputs, { type: "program", command, args, env, cwd: "workspace" });
  switch (pack.registryType) {
    case "npm":
      return {
        kind: "npm",
        // The entry is read from the package when it is there.
        file: fileOf(entry, inputs, {
          type: "node",
          entry: "package.json",
          args: own,
          env,
          cwd: "workspace",
        }),
        fetch: { npm: exact, ...(pack.registryBaseUrl && { registry: pack.registryBaseUrl }) },
      };
    case "mcpb":
      if (!pack.fileSha256) return null;
      return {
        kind: "mcpb",
        file: fileOf(entry, inputs, { type: "node", entry: "manifest.json", args: own, env, cwd: "plugin" }),
        fetch: { bundle: identifier, sha256: pack.fileSha256 },
      };
    case "pypi":
      return { kind: "pypi", file: program("uvx", [...runtime, exact, ...own]), fetch: null };
    case "oci": {
      const names = Object.keys(env).flatMap((name): Part[] => ["-e", name]);
      const image = version && !identifier.includes(":") ? `${identifier}:${version}` : identifier;
      return {
        kind: "oci",
        file: program("docker", ["run", "-i", "--rm", ...names, ...runtime, image, ...own]),
        fetch: null,
      };
    }
    case "nuget":
      return { kind: "nuget", file: program("dnx", [...runtime, exact, "--yes", ...own]), fetch: null };
    default:
      return null;
  }
}

function remoteOf(entry: RegistryEntry, remote: EntryRemote): ServerOffer | null {
  const transport = { "streamable-http": "http", sse: "sse" }[remote.type];
  if (transport !== "http" && transport !== "sse") return null;
  const inputs = new Inputs();
  const headers = Object.fromEntries(
    (remote.headers ?? []).map((header) => [header.name, inputs.part(header, header.name)]),
  );
  const url = inputs.filled(remote.url, remote.variables ?? {});
  return {
    kind: "remote",
    file: fileOf(entry, inputs, { type: "remote", transport, url, headers }),
    fetch: null,
  };
}

function fileOf({ server, status }: RegistryEntry, inputs: Inputs, how: ServerFile["server"]): ServerFile {
  const { name, title, version, description } = server;
  return {
    schema: 1,
    name,
    ...(title && { title }),
    version,
    description,
    publisher: provenPublisher(name),
    origin: { kind: "registry", name, status },
    server: how,
    inputs: inputs.all,
  };
}

/** Collects what a person has to set, while the parts are made that it goes into. */
class Inputs {
  readonly #named = new Map<string, ServerInput>();

  get all(): ServerInput[] {
    return [...this.#named.values()];
  }

  /** The part for a value: fixed, made of variables, or set by the person under `name`. */
  part(value: NamedValue | EntryArgument, name: string): Part {
    if (value.value !== undefined) return this.filled(value.value, value.variables ?? {});
    return this.#input(name, value, "isRepeated" in value && value.isRepeated === true);
  }

  /** The parts for an argument: `--name value`, or the value alone. */
  argument(value: EntryArgument): Part[] {
    if (value.type === "positional") return [this.part(value, value.valueHint ?? value.name ?? "argument")];
    const flag = value.name ?? "";
    const plain = flag.replace(/^-+/, "");
    const isBare =
      value.value === undefined &&
      value.default === undefined &&
      value.valueHint === undefined &&
      value.format === undefined &&
      !value.isRequired &&
      !value.isSecret &&
      !value.choices;
    if (isBare) return [flag];
    return [flag, this.part(value, plain === "" ? "argument" : plain)];
  }

  /** A text with `{name}` as parts, where there is a variable of that name. */
  filled(text: string, variables: Readonly<Record<string, Omit<NamedValue, "name" | "variables">>>): Part {
    const pieces = text.split(/(\{[^{}]+\})/).filter((piece) => piece !== "");
    const parts = pieces.map((piece): Part => {
      const name = /^\{(.+)\}$/.exec(piece)?.[1];
      const variable = name === undefined ? undefined : variables[name];
      return name === undefined || variable === undefined ? piece : this.#input(name, variable, false);
    });
    const [only = ""] = parts;
    return parts.length <= 1 ? only : { join: parts };
  }

  #input(name: string, value: Omit<NamedValue, "name" | "variables">, multiple: boolean): Part {
    const { description, isRequired, isSecret, format, choices, placeholder, default: given } = value;
    if (!this.#named.has(name))
      this.#named.set(name, {
        name,
        type: format === "filepath" ? "file" : (format ?? "string"),
        required: isRequired === true && given === undefined,
        secret: isSecret === true,
        multiple,
        ...(description && { description }),
        ...(placeholder && { placeholder: placeholder.slice(0, 200) }),
        ...(choices && choices.length > 0 && { choices }),
        ...(given !== undefined && { default: defaultOf(given, format) }),
      });
    return { input: name };
  }
}

function defaultOf(given: string, format: NamedValue["format"]): string | number | boolean {
  if (format === "number" && Number.isFinite(Number(given))) return Number(given);
  return format === "boolean" ? given === "true" : given;
}
