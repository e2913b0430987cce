import { PatchbayError } from "../../../contract/index.ts";
import { type Ids, systemIds } from "../../base/ids.ts";
import type { LiveSession } from "../sessions/session.ts";
import { checkSize, keepUpload } from "./uploads.ts";

/** Files that may be on their way at once; the one that has waited longest is dropped for another. */
const mostAtOnce = 20;

interface Incoming {
  session: LiveSession;
  name: string;
  mimeType: string;
  /** Of the whole file. */
  bytes: number;
  pieces: Uint8Array[];
  received: number;
}

interface Piece {
  name: string;
  mimeType: string;
  /** Of the whole file. */
  bytes: number;
  piece: Uint8Array;
  /** The file that it goes on, and from which of its bytes; absent: it begins one. */
  goesOn?: { id: string; at: number } | undefined;
}

/** Puts files together that come in pieces. They lie in memory until they are whole, and then beside their conversation. */
export class IncomingFiles {
  private readonly open = new Map<string, Incoming>();
  private readonly ids: Ids;

  constructor(ids: Ids = systemIds) {
    this.ids = ids;
  }

  /**
   * Takes a piece. @returns the id of the file, and how many of its bytes are there
   * @throws PatchbayError PAYLOAD_TOO_LARGE, BAD_INPUT, DISK_FULL, WRITE_FAILED
   */
  async take(
    session: LiveSession,
    { piece, goesOn, ...file }: Piece,
  ): Promise<{ id: string; received: number }> {
    checkSize(file.name, file.bytes);
    const id = goesOn?.id ?? this.ids.next();
    const incoming = goesOn ? this.open.get(id) : { ...file, session, pieces: [], received: 0 };
    if (incoming?.session !== session || (goesOn?.at ?? 0) !== incoming.received) throw outOfOrder();
    incoming.pieces.push(piece);
    incoming.received += piece.length;
    const { name, mimeType, bytes, received, pieces } = incoming;
    if (received > bytes) {
      this.open.delete(id);
      throw outOfOrder();
    }
    if (received < bytes) this.keep(id, incoming);
    else {
      this.open.delete(id);
      await keepUpload(session.uploads, { name, mimeType, bytes: Buffer.concat(pieces) }, id);
    }
    return { id, received };
  }

  private keep(id: string, incoming: Incoming): void {
    this.open.delete(id);
    this.open.set(id, incoming);
    const [oldest] = this.open.keys();
    if (this.open.size > mostAtOnce && oldest !== undefined) this.open.delete(oldest);
  }
}

function outOfOrder(): PatchbayError {
  return new PatchbayError("BAD_INPUT", "The pieces of the file do not fit together.", {
    help: "Attach it again.",
  });
}
