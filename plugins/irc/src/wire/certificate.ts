import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { ChannelFailure } from "@patchbay/plugin-sdk/channel";

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
