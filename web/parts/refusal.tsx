// What the server refused, in the reader's language where the face knows it, else in the server's words.
import { Suspense } from "react";
import type { Fault, FieldFault } from "../api.ts";
import { useTexts } from "../language.ts";
import { refusalsTexts } from "../texts/refusals.ts";

export function Refusal({ fault }: { readonly fault: Fault }) {
  return (
    <Suspense>
      <Said fault={fault} />
    </Suspense>
  );
}

function Said({ fault: { code, why, message, suggestion } }: { readonly fault: Fault }) {
  const { reasons, codes } = useTexts(refusalsTexts);
  const said = reasons[why.reason ?? ""]?.(why.values ?? {}) ?? codes[code];
  if (said !== undefined) return <b>{said}</b>;
  return (
    <>
      <b>{message}</b> {suggestion}
    </>
  );
}

export function FieldRefusal({ fault }: { readonly fault: FieldFault }) {
  return (
    <Suspense fallback={fault.message}>
      <SaidOfField {...fault} />
    </Suspense>
  );
}

function SaidOfField({ field, code = "", message }: FieldFault) {
  const { fields } = useTexts(refusalsTexts);
  return fields[`${field}.${code}`] ?? fields[code] ?? message;
}
