import { BoundedBlobs } from "../../src/main/agents/record/bounded-blobs.ts";
import { openFileStorage, type SessionFiles } from "../../src/main/store/index.ts";

/** The blobs of a session's record in a home folder: the large parts of its events. */
export function blobsOf(home: string, agentId: string, sessionId: string): BoundedBlobs {
  const onNotice = () => {};
  return new BoundedBlobs(openFileStorage({ home, onNotice }).blobs(agentId, sessionId));
}

/** The files that came with a session, as they lie in a home. */
export function filesOf(home: string, agentId: string, sessionId: string): SessionFiles {
  return openFileStorage({ home, onNotice() {} }).files(agentId, sessionId);
}
