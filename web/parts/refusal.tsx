// An error of the server: in the reader's language if there is a text for it, otherwise as the server wrote it.
import { Suspense } from "react";
import type { Fault, FieldFault } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { refusalsTexts } from "../texts/refusals.ts";
import type { Refusals } from "../texts/server-words.ts";

export function Refusal({ fault }: { readonly fault: Fault }) {
  return (
    <Suspense>
      <RefusalText fault={fault} />
    </Suspense>
  );
}

function RefusalText({ fault }: { readonly fault: Fault }) {
  const { message, suggestion } = useRefusal(fault);
  return (
    <>
      <b>{message}</b> {suggestion}
    </>
  );
}

/** Suspends until the texts are loaded. */
export function useRefusal({ code, why, message, suggestion }: Fault): Pick<Fault, "message" | "suggestion"> {
  const { reasons, codes } = useTexts(refusalsTexts);
  const text = reasons[why.reason ?? ""]?.(why.values ?? {}) ?? codes[code];
  return text === undefined ? { message, suggestion } : { message: text, suggestion: "" };
}

export function FieldRefusal({ fault }: { readonly fault: FieldFault }) {
  return (
    <Suspense fallback={fault.message}>
      <FieldRefusalText {...fault} />
    </Suspense>
  );
}

function FieldRefusalText(fault: FieldFault) {
  return fieldRefusal(useTexts(refusalsTexts), fault);
}

export function fieldRefusal({ fields, messages }: Refusals, { field, code = "", message }: FieldFault): string {
  // Without the indexes of list items.
  const name = field.replaceAll(/\.\d+(?=\.|$)/g, "");
  return fields[`${name}.${code}`] ?? fields[code] ?? messages[code]?.(message) ?? message;
}
