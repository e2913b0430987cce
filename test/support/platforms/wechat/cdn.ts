import { createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { PlatformAnswer, PlatformRequest } from "../http.ts";

interface Upload {
  filekey: string;
  type: number;
  size: number;
  md5: string;
  cipherSize: number;
  key: string;
}

/** The file server: stores encrypted files, which it cannot read, and checks their sizes. */
export class Cdn {
  readonly #files = new Map<string, Buffer>();
  readonly #expected = new Map<string, Upload>();
  /** By the reference that the upload was answered with. */
  readonly #uploads = new Map<string, Upload>();
  /** Gives whole addresses instead of parameters. */
  wholeAddresses = false;
  /** Leaves out the header that names the upload. */
  forgetsReference = false;

  /** Something that a person sends: the reference under which it is fetched. */
  put(cipher: Buffer): string {
    const reference = randomBytes(8).toString("hex");
    this.#files.set(reference, cipher);
    return reference;
  }

  expect(body: Record<string, unknown>, origin: string): object {
    const upload: Upload = {
      filekey: String(body.filekey),
      type: Number(body.media_type),
      size: Number(body.rawsize),
      md5: String(body.rawfilemd5),
      cipherSize: Number(body.filesize),
      key: String(body.aeskey),
    };
    if (!/^[0-9a-f]{32}$/.test(upload.filekey) || !/^[0-9a-f]{32}$/.test(upload.key)) {
      return { ret: 1, errmsg: "bad key" };
    }
    const param = randomBytes(8).toString("hex");
    this.#expected.set(param, upload);
    if (!this.wholeAddresses) return { ret: 0, upload_param: param };
    const query = `encrypted_query_param=${param}&filekey=${upload.filekey}`;
    return { ret: 0, upload_full_url: `${origin}/c2c/upload?${query}` };
  }

  answer({ path, method, query, body, headers }: PlatformRequest): PlatformAnswer {
    const param = query.get("encrypted_query_param") ?? "";
    if (path === "/c2c/download") {
      const file = this.#files.get(param);
      return file
        ? { status: 200, body: file }
        : { status: 404, headers: { "x-error-message": "no such file" } };
    }
    const upload = this.#expected.get(param);
    const wrong = (why: string) => ({ status: 400, headers: { "x-error-message": why } });
    if (method !== "POST" || !upload) return wrong("no such upload");
    if (headers["content-type"] !== "application/octet-stream") return wrong("bad type");
    if (query.get("filekey") !== upload.filekey) return wrong("bad filekey");
    if (body.length !== upload.cipherSize) return wrong("bad size");
    const reference = this.put(body);
    this.#uploads.set(reference, upload);
    return this.forgetsReference
      ? { status: 200 }
      : { status: 200, headers: { "x-encrypted-param": reference } };
  }

  /** Decrypts an upload as the person's phone does; throws when the phone could not. */
  open(reference: string, keyBase64: string): Buffer {
    const upload = this.#uploads.get(reference);
    const cipher = this.#files.get(reference);
    if (!upload || !cipher) throw new Error("There is no such upload.");
    const key = Buffer.from(Buffer.from(keyBase64, "base64").toString("latin1"), "hex");
    const decipher = createDecipheriv("aes-128-ecb", key, null);
    const bytes = Buffer.concat([decipher.update(cipher), decipher.final()]);
    const md5 = createHash("md5").update(bytes).digest("hex");
    if (bytes.length !== upload.size || md5 !== upload.md5) throw new Error("It is not what was announced.");
    return bytes;
  }
}
