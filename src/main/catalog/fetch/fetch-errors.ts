import { PatchbayError, type Problem, toProblem } from "../../../contract/errors.ts";
import { problemOfSystemError } from "../system-errors.ts";
import type { FetchRequest } from "./protocol.ts";

/** The fields of errors that registry clients, the unpacker and scripts throw. */
interface FetchFailure extends Error {
  code?: string;
  statusCode?: number;
  uri?: string;
  pkgid?: string;
  type?: string;
  package?: string;
  expected?: unknown;
  found?: unknown;
  sri?: unknown;
  wanted?: string;
  versions?: string[];
  event?: string;
  stdout?: string;
  stderr?: string;
}

const mostOutput = 4_000;

/** Any error of fetching as a problem whose message names the package and the server. */
export function problemOfFetchError(error: unknown, request: FetchRequest): Problem {
  const known =
    error instanceof PatchbayError ? error : (problemOfSystemError(error) ?? classify(error, request));
  return (known ?? toInternal(error)).toProblem();
}

function classify(error: unknown, request: FetchRequest): PatchbayError | null {
  if (!(error instanceof Error)) return null;
  const failure = error as FetchFailure;
  const code = failure.code ?? "";
  if (request.op === "scripts") return scriptFailed(failure);
  if (code === "E404" || code === "ENOVERSIONS") return notFound(failure, request);
  if (code === "ETARGET") return noSuchVersion(failure, request);
  if (failure.statusCode || /^E[45]\d\d$/.test(code)) return refused(failure, request);
  if (signatureCodes.has(code)) return badSignature(failure, request);
  if (code === "EINTEGRITY") return mismatch(failure, request);
  if (/^EALLOW/.test(code)) return foreignDependency(failure);
  if (/^Z_|^TAR_|^EBADSIZE|ZlibError/.test(code)) return damaged(failure);
  if (code === "EJSONPARSE" || failure.type === "invalid-json") return refused(failure, request);
  if (code === "ERESOLVE") return contradiction(failure);
  return isNetworkTrouble(failure) ? unreachable(failure, request) : null;
}

/** Codes of a signature or proof of the registry that does not fit the package. */
const signatureCodes = new Set([
  "EINTEGRITYSIGNATURE",
  "EMISSINGSIGNATUREKEY",
  "EEXPIREDSIGNATUREKEY",
  "EATTESTATIONVERIFY",
  "EATTESTATIONSUBJECT",
]);

const networkCodes =
  /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|ERR_SOCKET|ERR_SSL|ERR_TLS|FETCH_ERROR|UND_ERR|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EIDLETIMEOUT|ERESPONSETIMEOUT|ETRANSFERTIMEOUT|ECONNECTIONTIMEOUT)/;

function isNetworkTrouble(failure: FetchFailure): boolean {
  return networkCodes.test(failure.code ?? "") || /timeout|socket hang up|network/i.test(failure.message);
}

function notFound(failure: FetchFailure, request: FetchRequest): PatchbayError {
  return new PatchbayError("PACKAGE_NOT_FOUND", `${server(request)} has no ${packageOf(failure, request)}.`, {
    details: technical(failure),
  });
}

/** The error for a missing version. The registry client puts the package's name into the error's field `name`. */
function noSuchVersion(failure: FetchFailure, request: FetchRequest): PatchbayError {
  const message = `${server(request)} has no version “${failure.wanted}” of the package ${failure.name}.`;
  return new PatchbayError("PACKAGE_NOT_FOUND", message, {
    details: { ...technical(failure), versions: failure.versions?.slice(-20) },
  });
}

function refused(failure: FetchFailure, request: FetchRequest): PatchbayError {
  const status = failure.statusCode ?? Number(/^E(\d{3})$/.exec(failure.code ?? "")?.[1]);
  const answer = status
    ? `answered with error ${status}`
    : "answered with something that is no package information";
  return new PatchbayError("REGISTRY_REFUSED", `${server(request)} ${answer}.`, {
    ...((status === 401 || status === 403) && {
      help: "Check that you may read this package and that your npm configuration holds the credentials for it.",
    }),
    details: technical(failure),
  });
}

function mismatch(failure: FetchFailure, request: FetchRequest): PatchbayError {
  return new PatchbayError(
    "INTEGRITY_MISMATCH",
    `The archive of ${packageOf(failure, request)} is not the one that was announced.`,
    {
      details: {
        ...technical(failure),
        expected: String(failure.expected ?? ""),
        found: String(failure.found ?? ""),
      },
    },
  );
}

function badSignature(failure: FetchFailure, request: FetchRequest): PatchbayError {
  const [, name] = /^(\S+@\S+) /.exec(failure.message) ?? [];
  const what = name ? `package ${name}` : packageOf(failure, request);
  return new PatchbayError(
    "SIGNATURE_INVALID",
    `${server(request)} does not vouch for the ${what}: its signature does not fit.`,
    { details: technical(failure) },
  );
}

function foreignDependency(failure: FetchFailure): PatchbayError {
  const name = failure.package ?? "a package";
  return new PatchbayError("UNSAFE_PACKAGE", `It depends on ${name}, which does not come from a registry.`, {
    help: "Its author must publish that package; or link a folder with everything installed instead.",
    details: technical(failure),
  });
}

function damaged(failure: FetchFailure): PatchbayError {
  return new PatchbayError("ARCHIVE_DAMAGED", "The package file is damaged or cut short.", {
    details: technical(failure),
  });
}

function contradiction(failure: FetchFailure): PatchbayError {
  return new PatchbayError("MANIFEST_INVALID", "The packages it depends on contradict each other.", {
    help: "Its author must correct the dependencies.",
    details: technical(failure),
  });
}

function unreachable(failure: FetchFailure, request: FetchRequest): PatchbayError {
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO/.test(failure.code ?? "");
  return new PatchbayError(
    "REGISTRY_UNREACHABLE",
    isCertificate
      ? `The certificate of ${server(request)} is not trusted.`
      : `${server(request)} did not answer.`,
    { details: technical(failure) },
  );
}

function scriptFailed(failure: FetchFailure): PatchbayError {
  return new PatchbayError(
    "SCRIPT_FAILED",
    failure.event
      ? `The script “${failure.event}” of ${failure.pkgid ?? "the package"} failed.`
      : "The installation scripts could not be run.",
    {
      details: {
        ...technical(failure),
        stdout: failure.stdout?.slice(-mostOutput),
        stderr: failure.stderr?.slice(-mostOutput),
      },
    },
  );
}

function toInternal(error: unknown): PatchbayError {
  const { message, details } = toProblem(error);
  return new PatchbayError("INTERNAL", `The package could not be fetched: ${message}`, { details });
}

/** The server that was asked, as the subject of a sentence. */
function server(request: FetchRequest): string {
  if (request.op === "download" && /^https?:/.test(request.spec)) return `The server ${hostOf(request.spec)}`;
  return "options" in request ? `The registry ${hostOf(request.options.registry)}` : "The registry";
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

function packageOf(failure: FetchFailure, request: FetchRequest): string {
  if ("spec" in request && /^https?:/.test(request.spec)) return `file at ${new URL(request.spec).pathname}`;
  if (request.op === "dependencies") return `package ${failure.pkgid ?? failure.package ?? "it depends on"}`;
  return "spec" in request ? `package ${request.spec}` : "such package";
}

function technical(failure: FetchFailure): Record<string, unknown> {
  return {
    systemCode: failure.code,
    reason: failure.message.slice(0, 1_000),
    address: withoutUser(failure.uri),
  };
}

function withoutUser(address: string | undefined): string | undefined {
  return address?.replace(/\/\/[^/@]*@/, "//");
}
