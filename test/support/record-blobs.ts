import { BoundedBlobs } from "../../src/main/agents/record/bounded-blobs.ts";
import { openFileStorage } from "../../src/main/store/index.ts";

/** The large parts of a session's record, as they lie in a home. */
export function blobsOf(home: string, agentId: string, sessionId: string): BoundedBlobs {
  const onNotice = () => {};
  return new BoundedBlobs(openFileStorage({ home, onNotice }).blobs(agentId, sessionId));
}
