import { BoundedBlobs } from "../../src/main/agents/record/bounded-blobs.ts";
import { openFileStorage } from "../../src/main/store/index.ts";

/** The blobs of a session's record in a home folder: the large parts of its events. */
export function blobsOf(home: string, agentId: string, sessionId: string): BoundedBlobs {
  const onNotice = () => {};
  return new BoundedBlobs(openFileStorage({ home, onNotice }).blobs(agentId, sessionId));
}
