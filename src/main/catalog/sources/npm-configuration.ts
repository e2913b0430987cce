import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { NpmOptions } from "../fetch/protocol.ts";
import { parseSpec } from "../spec/spec.ts";
import type { AcquisitionContext } from "./acquisition.ts";

type Configuration = Record<string, string>;

/**
 * The registry and credentials for a request: its own registry, else that of the settings, else the machine's. A
 * request's own registry is used for all scopes, except when it is the one that the machine would use for that package
 * anyway: then the machine's configuration stays in force.
 */
export async function npmOptions(
  context: Pick<AcquisitionContext, "request" | "defaultRegistry" | "npmCache">,
): Promise<NpmOptions> {
  const machine = await machineConfiguration();
  const usual = withSlash(context.defaultRegistry ?? machine.registry ?? clientDefault());
  const machines: NpmOptions = { registry: usual, cache: context.npmCache, config: forFetching(machine) };
  const chosen = context.request.registry && withSlash(context.request.registry);
  const name = packageNameOf(context.request.spec);
  if (!chosen || (name !== null && chosen === registryOf(name, machines))) return machines;
  const config = Object.entries(machines.config).filter(([key]) => !isScopeRegistry(key));
  return { registry: chosen, cache: context.npmCache, config: Object.fromEntries(config) };
}

/** The registry that a package comes from: that of its scope, where one is configured. */
export function registryOf(name: string, options: NpmOptions): string {
  const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")) : null;
  const ofScope = scope && options.config[`${scope}:registry`];
  return typeof ofScope === "string" ? withSlash(ofScope) : options.registry;
}

function packageNameOf(spec: string): string | null {
  try {
    const parsed = parseSpec(spec);
    return parsed.kind === "npm" ? parsed.name : null;
  } catch {
    return null;
  }
}

function withSlash(registry: string): string {
  return registry.replace(/\/*$/, "/");
}

function isScopeRegistry(key: string): boolean {
  return /^@[^:]+:registry$/.test(key);
}

/** The registry of the machine's npm configuration, or npm's default. */
export async function machineRegistry(): Promise<string> {
  return (await machineConfiguration()).registry ?? clientDefault();
}

/**
 * npm's configuration of this machine as npm reads it outside of a project: global file, user file, environment; the
 * later wins.
 */
async function machineConfiguration(
  env: NodeJS.ProcessEnv = process.env,
  userFolder: string = homedir(),
): Promise<Configuration> {
  const fromEnv = environmentConfiguration(env);
  const userFile = fromEnv.userconfig ?? join(userFolder, ".npmrc");
  const globalFile =
    fromEnv.globalconfig ?? join(env.PREFIX ?? fromEnv.prefix ?? "/usr/local", "etc", "npmrc");
  return {
    ...(await readConfiguration(globalFile, env)),
    ...(await readConfiguration(userFile, env)),
    ...fromEnv,
  };
}

function environmentConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const found: Configuration = {};
  for (const [name, value] of Object.entries(env)) {
    const match = /^npm_config_(.+)$/i.exec(name);
    if (!match?.[1] || value === undefined || value === "") continue;
    const key = match[1].startsWith("//") ? match[1] : match[1].toLowerCase().replace(/(?!^)_/g, "-");
    found[key] = value;
  }
  return found;
}

async function readConfiguration(file: string, env: NodeJS.ProcessEnv): Promise<Configuration> {
  const text = await readFile(file, "utf8").catch(() => "");
  const found: Configuration = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match?.[1]) continue;
    const value = (match[2] ?? "").replace(/^(["'])(.*)\1$/, "$2");
    found[match[1]] = value.replace(/\$\{([^}]+)\}/g, (whole, name: string) => env[name] ?? whole);
  }
  return found;
}

/** The default registry of the client that pacote uses, read from a small file of that package. */
function clientDefault(): string {
  const pacote = createRequire(import.meta.url).resolve("pacote");
  return defaultsSchema.parse(createRequire(pacote)("npm-registry-fetch/lib/default-opts.js")).registry;
}

const defaultsSchema = z.looseObject({ registry: z.url() });

/** The Authorization header for an address of a registry, from the credentials that the npm configuration holds. */
export function authorizationFor(url: URL, options: NpmOptions): string | null {
  if (url.origin !== new URL(options.registry).origin) return null;
  for (let path = url.pathname; path !== ""; path = path.replace(/[^/]*\/?$/, "")) {
    const host = `//${url.host}${path.endsWith("/") ? path : `${path}/`}`;
    const token = options.config[`${host}:_authToken`];
    if (token) return `Bearer ${token}`;
    const basic = options.config[`${host}:_auth`];
    if (basic) return `Basic ${basic}`;
    if (path === "/") break;
  }
  return null;
}

const optionNames: Record<string, string> = {
  proxy: "proxy",
  "https-proxy": "httpsProxy",
  noproxy: "noProxy",
  cafile: "cafile",
  ca: "ca",
  "strict-ssl": "strictSSL",
};

function forFetching(machine: Configuration): NpmOptions["config"] {
  const config: NpmOptions["config"] = {};
  for (const [key, value] of Object.entries(machine)) {
    const name = optionNames[key];
    if (name) config[name] = name === "strictSSL" ? value !== "false" : value;
    else if (key.startsWith("//") || isScopeRegistry(key)) config[key] = value;
  }
  return config;
}
