// The field for the code in addition to the password. It appears once the server requires a code.
import { useState } from "react";
import { Fault } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { Field } from "../parts/fields/form.tsx";
import { frameTexts } from "../texts/areas.ts";

type CodePrompt = { readonly isAsked: boolean; /** Null for CODE_NEEDED. */ readonly fault: unknown };

/** `fault`: the error of the last attempt to sign in. */
export function useCodeAsked(fault: unknown): CodePrompt {
  const [isAsked, setAsked] = useState(false);
  const asksNow = fault instanceof Fault && fault.code === "CODE_NEEDED";
  if (asksNow && !isAsked) setAsked(true);
  return { isAsked, fault: asksNow ? null : fault };
}

export function CodeField() {
  const { code } = useTexts(frameTexts);
  return (
    <Field
      name="code"
      label={code.label}
      help={code.help}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
    />
  );
}
