/** What pages may use of `offered`. */

export { CheckNote } from "./check-note.tsx";
export { StartingNote } from "./fetching-note.tsx";
export { lookAtHeld } from "./look-at-held.tsx";
export { OfferedTools } from "./offered-tools.tsx";
export { ReviewDialog, reviewPath } from "./review-dialog.tsx";
export { ReviewMark } from "./review-mark.tsx";
export { ReviewNote } from "./review-note.tsx";
export { ToolList } from "./tool-list.tsx";
