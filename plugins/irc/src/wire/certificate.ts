import type { Socket } from "node:net";
import { connect, TLSSocket } from "node:tls";
import { ChannelFailure } from "@patchbay/plugin-sdk/channel";

/** Milliseconds that a server may take to show its certificate. */
const SHOW_MS = 10_000;

const unknownCodes = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Whether connecting failed because nobody vouches for the server's certificate. */
export function isUnknownCertificate(error: unknown): boolean {
  const cause = error instanceof ChannelFailure ? error.cause : error;
  return cause instanceof Error && "code" in cause && unknownCodes.has(String(cause.code));
}

/** A fingerprint in the form in which fingerprints are compared: 64 digits. */
function plainFingerprint(fingerprint: string): string {
  return fingerprint
    .replace(/^sha-?256[:=]/i, "")
    .replaceAll(/[:\s]/g, "")
    .toUpperCase();
}

/**
 * Ends a connection that is being made when the server's certificate is not the one that was agreed on, before anything
 * was said to it.
 */
export function refuseOthers(
  socket: Socket,
  agreed: string,
  onOther: (failure: ChannelFailure) => void,
): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.prependListener("secureConnect", () => {
    const shown = socket.getPeerCertificate().fingerprint256 ?? "";
    if (plainFingerprint(shown) === plainFingerprint(agreed)) return;
    onOther(
      new ChannelFailure(
        "fatal",
        `The certificate of the server is another one than you agreed to (SHA-256 ${shown}). If its operator has changed it, run the setup again or change the fingerprint in the settings.`,
      ),
    );
    socket.destroy();
  });
}

/** The SHA-256 fingerprint of the certificate that a server shows, as `AB:CD:…`; null when it shows none. */
export function shownFingerprint(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    // Nothing is sent: the certificate is only looked at, so that the person can say whether it is the right one.
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: SHOW_MS }, () => {
      resolve(socket.getPeerCertificate().fingerprint256 ?? null);
      socket.destroy();
    });
    socket.on("error", () => resolve(null));
    socket.on("timeout", () => {
      resolve(null);
      socket.destroy();
    });
  });
}
