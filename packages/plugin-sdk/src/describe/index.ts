export { describeManifest } from "./describe.ts";
export {
  DESCRIPTION_VERSION,
  manifestShape,
  type PackageDescription,
  type Shape,
  startedCommands,
} from "./shape.ts";
export { meantBy, type UnknownField, unknownFields, unknownInWords } from "./unknown-fields.ts";
