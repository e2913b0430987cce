/** What other features may use of `permissions`. */
export { WallLine } from "./wall-line.tsx";
