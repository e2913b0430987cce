/** What pages may use of `traces`. */
export { ExportMenu } from "./export-menu.tsx";
