import type { Declaration } from "../../../contract/index.ts";
import { cleanSchema } from "../../../contract/shown/clean-schema.ts";
import { cleanDeep, cleanLine, cleanText, escapeText } from "../../../contract/shown/clean-text.ts";
import type { Inspection, Undescribed } from "../../runtimes/runtime.ts";

/**
 * What a package says of itself, fit to be shown: names and texts without controls and hidden characters. What is
 * compared or run, such as the values and patterns of its settings' schema, stays as it is.
 */
export function cleanInspection(inspection: Inspection): Inspection {
  const { declaration, consent } = inspection;
  return {
    ...inspection,
    packageName: cleanLine(inspection.packageName),
    packageVersion: cleanLine(inspection.packageVersion),
    displayName: cleanLine(inspection.displayName),
    description: cleanLine(inspection.description),
    capabilities: cleanDeep(inspection.capabilities, cleanLine),
    declaration: cleanDeclaration(declaration),
    consent: {
      ...consent,
      hosts: Array.isArray(consent.hosts) ? consent.hosts.map(escapeText) : consent.hosts,
      grants: consent.grants.map(cleanLine),
      // A command is shown before it is run: what cannot be seen in it is written out.
      scripts: consent.scripts.map(({ name, command }) => ({
        name: cleanLine(name),
        command: escapeText(command),
      })),
    },
    warnings: inspection.warnings.map(cleanText),
  };
}

/** The same for a package that only its code can describe. */
export function cleanUndescribed({ packageName, packageVersion, publisher }: Undescribed): Undescribed {
  return {
    packageName: cleanLine(packageName),
    packageVersion: cleanLine(packageVersion),
    ...(publisher !== undefined && { publisher: cleanLine(publisher) }),
  };
}

function cleanDeclaration(declaration: Declaration): Declaration {
  const { configSchema, secretKeys, publisher, license } = declaration;
  return {
    ...declaration,
    configSchema: configSchema && cleanSchema(configSchema),
    secretKeys: secretKeys.map((one) => ({
      ...one,
      label: cleanLine(one.label),
      ...(one.placeholder !== undefined && { placeholder: cleanLine(one.placeholder) }),
      ...(one.help !== undefined && { help: cleanText(one.help) }),
    })),
    ...(publisher !== undefined && { publisher: cleanLine(publisher) }),
    ...(license !== undefined && { license: cleanLine(license) }),
  };
}
