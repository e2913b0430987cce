import withTheme from "@rjsf/core/lib/withTheme.js";
import type { ComponentProps } from "react";
import { defaultsBehavior } from "../values/form-model.ts";
import { validator } from "../values/validator.ts";
import { fieldTemplates } from "./field-templates.tsx";
import { listTemplates } from "./list-templates.tsx";
import { widgets } from "./widgets.tsx";

/** Nothing stays nothing: the library's own field would write null, from which no other possibility can begin. */
const fields = { NullField: () => null };

const Themed = withTheme({ templates: { ...fieldTemplates, ...listTemplates }, widgets, fields });

/** A form from a schema in Patchbay's own look: checked when a field is left, with what is wrong at the field. */
export function SchemaForm(props: Omit<ComponentProps<typeof Themed>, "validator">) {
  return (
    <Themed
      validator={validator}
      showErrorList={false}
      noHtml5Validate
      liveValidate="onBlur"
      focusOnFirstError
      experimental_defaultFormStateBehavior={defaultsBehavior}
      {...props}
    />
  );
}
