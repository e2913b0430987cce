export { describeManifest } from "./describe.ts";
export {
  DESCRIPTION_VERSION,
  manifestShape,
  type PackageDescription,
  type Shape,
  startedCommands,
} from "./shape.ts";
