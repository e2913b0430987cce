import type { EventEmitter } from "node:events";
import { fromChromiumUrl } from "./addresses.ts";
import type { CdpSession } from "./cdp.ts";
import { answerRequest } from "./protocol.ts";

interface Paused {
  requestId: string;
  request: { url: string; method: string; headers: Record<string, string>; urlFragment?: string };
  resourceType: string;
  frameId: string;
  redirectedRequestId?: string;
}

/**
 * Sends every request of a page through the app: navigation becomes Electron's events, addresses of the app's scheme are
 * answered by its handler, with its headers; all else goes to the network.
 * @param wasExpected whether the app itself asked for this address
 */
export async function interceptRequests(
  session: CdpSession,
  contents: EventEmitter,
  wasExpected: (url: string) => boolean,
): Promise<void> {
  const tree = await session.send("Page.getFrameTree");
  const mainFrameId = (tree.frameTree as { frame: { id: string } }).frame.id;

  session.on<Paused>("Fetch.requestPaused", (paused) => {
    void answer(paused).catch(() => {
      // The page has gone away while it was being answered.
    });
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*", requestStage: "Request" }] });

  async function answer(paused: Paused): Promise<void> {
    const { requestId, request } = paused;
    const url = fromChromiumUrl(request.url + (request.urlFragment ?? ""));
    if (paused.resourceType === "Document" && !wasExpected(request.url) && isRefused(paused, url)) {
      await session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
      return;
    }
    const response = await answerRequest(
      new Request(url, { method: request.method, headers: request.headers }),
    ).catch(() => new Response(null, { status: 500 }));
    if (!response) {
      await session.send("Fetch.continueRequest", { requestId });
      return;
    }
    await session.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString("base64"),
    });
  }

  function isRefused(paused: Paused, url: string): boolean {
    const isMainFrame = paused.frameId === mainFrameId;
    const details = new NavigationDetails(url, isMainFrame);
    if (paused.redirectedRequestId) contents.emit("will-redirect", details, url);
    else {
      if (isMainFrame) contents.emit("will-navigate", details, url);
      contents.emit("will-frame-navigate", details);
    }
    return details.defaultPrevented;
  }
}

class NavigationDetails {
  readonly url: string;
  readonly isMainFrame: boolean;
  readonly isSameDocument = false;
  defaultPrevented = false;

  constructor(url: string, isMainFrame: boolean) {
    this.url = url;
    this.isMainFrame = isMainFrame;
  }

  preventDefault(): void {
    this.defaultPrevented = true;
  }
}
