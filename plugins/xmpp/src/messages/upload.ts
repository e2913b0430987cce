import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { NS } from "../namespaces.ts";

const PUT_MS = 60_000;

type Request = (stanza: Element) => Promise<Element>;

/** The component of a server that takes files; null when it has none. */
export async function findUploadService(domain: string, request: Request): Promise<string | null> {
  const items = await request(xml("iq", { type: "get", to: domain }, xml("query", { xmlns: NS.discoItems })));
  const addresses = items.getChild("query", NS.discoItems)?.getChildren("item") ?? [];
  for (const { attrs } of addresses) {
    if (attrs.jid === undefined) continue;
    const asked = xml("iq", { type: "get", to: attrs.jid }, xml("query", { xmlns: NS.discoInfo }));
    const info = await request(asked).catch(() => null);
    const features = info?.getChild("query", NS.discoInfo)?.getChildren("feature") ?? [];
    if (features.some((feature) => feature.attrs.var === NS.upload)) return attrs.jid;
  }
  return null;
}

/** Puts a file where others can get it. @returns its address @throws ChannelFailure `refused` */
export async function upload(file: ChannelAttachment, service: string, request: Request): Promise<string> {
  const bytes = Buffer.from(file.data, "base64");
  const slot = await askForSlot(file, bytes.length, service, request);
  const put = slot.getChild("put");
  const address = slot.getChild("get")?.attrs.url;
  if (put?.attrs.url === undefined || address === undefined) {
    throw new ChannelFailure("refused", "the server gave no place for the file");
  }
  const headers = put
    .getChildren("header")
    .filter(({ attrs }) => /^(authorization|cookie|expires)$/i.test(attrs.name ?? ""))
    .map((header): [string, string] => [header.attrs.name ?? "", header.text().replace(/[\r\n]/g, "")]);
  const response = await fetch(put.attrs.url, {
    method: "PUT",
    headers: { ...Object.fromEntries(headers), "content-type": file.mimeType },
    body: bytes,
    signal: AbortSignal.timeout(PUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok)
    throw new ChannelFailure("refused", `the server did not take the file (${response.status})`);
  return address;
}

async function askForSlot(
  file: ChannelAttachment,
  size: number,
  service: string,
  request: Request,
): Promise<Element> {
  const attrs = { xmlns: NS.upload, filename: file.name, size, "content-type": file.mimeType };
  try {
    const answer = await request(xml("iq", { type: "get", to: service }, xml("request", attrs)));
    const slot = answer.getChild("slot", NS.upload);
    if (slot) return slot;
  } catch (error) {
    const { condition, message } = error as { condition?: string; message: string };
    if (condition !== undefined)
      throw new ChannelFailure("refused", `the server did not take it: ${message}`);
    throw error;
  }
  throw new ChannelFailure("refused", "the server gave no place for the file");
}
