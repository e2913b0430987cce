import { useEffect, useState } from "react";
import { isPicture } from "../../../../contract/conversation/attached.ts";
import type { StoredAttachment } from "../../../../contract/turn.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { dataAddress } from "./data-address.ts";
import { FileChip } from "./file-chip.tsx";
import { PictureButton } from "./picture-button.tsx";
import { ResourceChip } from "./resource-chip.tsx";

interface Place {
  agentId: string;
  sessionId: string | null;
}

interface MessageFilesProps {
  files: readonly StoredAttachment[];
  place: Place;
  /** Takes one away, by its stored name. */
  onRemove?: (file: string) => void;
}

/** The files of a message: pictures, then the others. */
export function MessageFiles({ files, place, onRemove }: MessageFilesProps) {
  if (files.length === 0) return null;
  const sorted = files.toSorted((a, b) => Number(isPicture(b)) - Number(isPicture(a)));
  return (
    <ul className="flex flex-wrap justify-end gap-2">
      {sorted.map((one) => (
        <li key={one.file} className="min-w-0">
          {isPicture(one) ? (
            <StoredPicture
              file={one}
              place={place}
              size={onRemove ? "sm" : "md"}
              onRemove={onRemove && (() => onRemove(one.file))}
            />
          ) : one.resource ? (
            <ResourceChip
              name={one.name}
              owner={one.resource.owner}
              uri={one.resource.uri}
              onRemove={onRemove && (() => onRemove(one.file))}
            />
          ) : (
            <FileChip name={one.name} bytes={one.bytes} onRemove={onRemove && (() => onRemove(one.file))} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Addresses of pictures that were drawn last, so that scrolling back does not ask for them again. */
const known = new Map<string, string>();
const mostKnown = 40;

interface StoredPictureProps {
  file: StoredAttachment;
  place: Place;
  size: "sm" | "md";
  onRemove: (() => void) | undefined;
}

function StoredPicture({ file: { file, name }, place, size, onRemove }: StoredPictureProps) {
  const { agentId, sessionId } = place;
  const key = `${agentId}/${sessionId}/${file}`;
  const [address, setAddress] = useState(() => known.get(key) ?? null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (sessionId === null || known.has(key)) return;
    const scope = new AbortController();
    const read = async () => {
      const picture = await rpc.sessions.file({ agentId, sessionId, file }, { signal: scope.signal });
      const read = await dataAddress(picture);
      known.set(key, read);
      const [oldest] = known.keys();
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
      if (!scope.signal.aborted) setAddress(read);
    };
    read().catch(() => !scope.signal.aborted && setGone(true));
    return () => scope.abort();
  }, [agentId, sessionId, file, key]);
  return <PictureButton name={name} address={address} size={size} isGone={isGone} onRemove={onRemove} />;
}
