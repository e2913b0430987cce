/** What pages may use of `offered`. */
export { lookAtHeld } from "./look-at-held.tsx";
export { ReviewDialog, reviewPath } from "./review-dialog.tsx";
export { ReviewMark } from "./review-mark.tsx";
export { ReviewNote } from "./review-note.tsx";
export { ToolList } from "./tool-list.tsx";
