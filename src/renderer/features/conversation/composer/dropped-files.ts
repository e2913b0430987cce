import { type DragEvent, useRef, useState } from "react";

/** What a drop or the clipboard holds, as far as the browser tells a page. */
export interface GivenFiles {
  files: File[];
  /** Names of folders, which cannot be attached. */
  folders: string[];
}

/** Call it while the event is being handled: the contents are gone afterwards. */
export function filesIn({ items }: DataTransfer): GivenFiles {
  const given: GivenFiles = { files: [], folders: [] };
  for (const item of items) {
    if (item.kind !== "file") continue;
    const place = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (place?.isDirectory) given.folders.push(place.name);
    else if (file) given.files.push(file);
  }
  return given;
}

/**
 * Takes files that are dropped on a part of the screen. What lies behind it, which would install them, is not told of the drag.
 * @param onFiles absent: nothing can be attached here
 */
export function useDroppedFiles(onFiles: ((given: GivenFiles) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  /** Elements within that the pointer has entered and not left. */
  const depth = useRef(0);
  const isWanted = (event: DragEvent) => onFiles !== undefined && event.dataTransfer.types.includes("Files");
  const own = (run: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!isWanted(event)) return;
    event.preventDefault();
    event.stopPropagation();
    run(event);
  };
  const on = {
    onDragEnter: own(() => {
      depth.current += 1;
      setOver(true);
    }),
    onDragOver: own((event) => {
      event.dataTransfer.dropEffect = "copy";
    }),
    onDragLeave: own(() => {
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    }),
    onDrop: own((event) => {
      depth.current = 0;
      setOver(false);
      const given = filesIn(event.dataTransfer);
      if (given.files.length + given.folders.length > 0) onFiles?.(given);
    }),
  };
  return { isOver, on };
}
