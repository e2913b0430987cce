import { install as jsonIndex } from "../json/index.ts";
import { install as modulesIndex } from "../modules/index.ts";
import type { Table } from "../values/tables.ts";
import type { Host } from "../vm/host.ts";
import { Vm } from "../vm/vm.ts";
import { install as dataAccess } from "./data/access.ts";
import { install as dataArrays } from "./data/arrays.ts";
import { install as dataBufferBits } from "./data/buffer-bits.ts";
import { install as dataBufferPush } from "./data/buffer-push.ts";
import { install as dataBuffers } from "./data/buffers.ts";
import { install as dataDeep } from "./data/deep.ts";
import { install as dataStringSearch } from "./data/string-search.ts";
import { install as dataStrings } from "./data/strings.ts";
import { install as dataStructs } from "./data/structs.ts";
import { install as dataTables } from "./data/tables.ts";
import { install as dataTuples } from "./data/tuples.ts";
import { install as dataTypes } from "./data/types.ts";
import { install as envBindings } from "./env/bindings.ts";
import { install as envEvaluate } from "./env/evaluate.ts";
import { install as envExpansion } from "./env/expansion.ts";
import { install as evIndex } from "./ev/index.ts";
import { install as fibersControl } from "./fibers/control.ts";
import { install as fibersDebug } from "./fibers/debug.ts";
import { install as fibersFibers } from "./fibers/fibers.ts";
import { install as functionsIndex } from "./functions/index.ts";
import { install as hashLib } from "./hash-lib.ts";
import { install as macrosIndex } from "./macros/index.ts";
import { install as marshalLib } from "./marshal-lib.ts";
import { install as mathCompare } from "./math/compare.ts";
import { install as mathFunctions } from "./math/functions.ts";
import { install as mathInt64 } from "./math/int64.ts";
import { install as mathOperators } from "./math/operators.ts";
import { install as mathRandom } from "./math/random.ts";
import { install as osIndex } from "./os/index.ts";
import { install as parserParserLib } from "./parser/parser-lib.ts";
import { install as pegLib } from "./peg-lib.ts";
import { install as printDoc } from "./print/doc.ts";
import { install as printPrint } from "./print/print.ts";
import { install as printText } from "./print/text.ts";
import { Registrar } from "./registrar.ts";
import { install as seqIndex } from "./seq/index.ts";

/** Every library; a later one may replace a binding of an earlier one. */
const libraries = [
  dataAccess,
  dataArrays,
  dataBufferBits,
  dataBufferPush,
  dataBuffers,
  dataDeep,
  dataStringSearch,
  dataStrings,
  dataStructs,
  dataTables,
  dataTuples,
  dataTypes,
  envBindings,
  envEvaluate,
  envExpansion,
  evIndex,
  fibersDebug,
  fibersFibers,
  functionsIndex,
  hashLib,
  macrosIndex,
  mathCompare,
  mathFunctions,
  mathInt64,
  mathOperators,
  mathRandom,
  osIndex,
  parserParserLib,
  pegLib,
  printDoc,
  printPrint,
  printText,
  seqIndex,
  jsonIndex,
  modulesIndex,
  fibersControl,
];

/** The bindings of the core, fresh for each engine, as a program may change them. */
export function makeCore(): Table {
  const core = new Registrar();
  for (const install of libraries) install(core);
  core.value("root-env", core.env, "The environment of the core.");
  // The dictionaries of images hold all that is there by now.
  marshalLib(core);
  return core.env;
}

/** A new engine's state. */
export function makeVm(host: Host): Vm {
  return new Vm(makeCore(), host);
}
