import withTheme from "@rjsf/core/lib/withTheme.js";
import { fieldTemplates } from "./field-templates.tsx";
import { listTemplates } from "./list-templates.tsx";
import { widgets } from "./widgets.tsx";

/** The settings form in Patchbay's own look. */
export const SchemaForm = withTheme({ templates: { ...fieldTemplates, ...listTemplates }, widgets });
