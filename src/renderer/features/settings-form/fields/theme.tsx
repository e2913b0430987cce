import withTheme from "@rjsf/core/lib/withTheme.js";
import { fieldTemplates } from "./field-templates.tsx";
import { listTemplates } from "./list-templates.tsx";
import { widgets } from "./widgets.tsx";

/** Nothing stays nothing: the library's own field would write null, from which no other possibility can begin. */
const fields = { NullField: () => null };

/** The settings form in Patchbay's own look. */
export const SchemaForm = withTheme({ templates: { ...fieldTemplates, ...listTemplates }, widgets, fields });
