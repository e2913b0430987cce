import { useTranslation } from "react-i18next";
import { isPicture } from "../../../../contract/conversation/attached.ts";
import { type DraftFile, detach, type RefusedFile, useAttachedFiles } from "../files/attached-files.ts";
import { FileChip } from "../files/file-chip.tsx";
import { PictureButton } from "../files/picture-button.tsx";
import { ResourceChip } from "../files/resource-chip.tsx";
import { useFileAddress } from "./use-file-address.ts";
import { useSeesPictures } from "./use-sees-pictures.ts";

interface AttachedRowProps {
  agentId: string;
  /** Whom they are for. */
  place: string;
}

/** The files of the message that is being written, what was refused, and what the model cannot see of them. */
export function AttachedRow({ agentId, place }: AttachedRowProps) {
  const { t } = useTranslation();
  const { files, resources, refused } = useAttachedFiles(place);
  const seesPictures = useSeesPictures(agentId);
  if (files.length + resources.length + refused.length === 0) return null;
  const isUnseen = !seesPictures && files.some(({ file }) => isPicture({ mimeType: file.type }));
  return (
    <div className="px-3 pt-3">
      {files.length + resources.length > 0 && (
        <ul aria-label={t("conversation.attached")} className="flex flex-wrap gap-2">
          {files.map((one) => (
            <li key={one.id}>
              <Attached one={one} onRemove={() => detach(place, one.id)} />
            </li>
          ))}
          {resources.map((one) => (
            <li key={one.id}>
              <ResourceChip name={one.name} owner={one.owner} onRemove={() => detach(place, one.id)} />
            </li>
          ))}
        </ul>
      )}
      <div role="status" className="text-xs">
        {refused.map((one) => (
          <p key={`${one.why} ${one.name}`} className="mt-1.5 font-medium break-words text-bad">
            {t(refusals[one.why], { name: one.name })}
          </p>
        ))}
        {isUnseen && <p className="mt-1.5 text-pretty text-mute">{t("conversation.unseenPicture")}</p>}
      </div>
    </div>
  );
}

const refusals = {
  tooLarge: "conversation.fileTooLarge",
  tooMany: "conversation.tooManyFiles",
  folder: "conversation.noFolders",
} as const satisfies Record<RefusedFile["why"], string>;

function Attached({ one: { file, part }, onRemove }: { one: DraftFile; onRemove(): void }) {
  const address = useFileAddress(isPicture({ mimeType: file.type }) ? file : null);
  const remove = part === null ? onRemove : undefined;
  return isPicture({ mimeType: file.type }) ? (
    <PictureButton name={file.name} address={address} size="sm" part={part} onRemove={remove} />
  ) : (
    <FileChip name={file.name} bytes={file.size} part={part} onRemove={remove} />
  );
}
