// The fields of a key set that can be changed later: its name, its expiry, the IP addresses that may use it.
import { Fault } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { keysTexts } from "../../texts/areas.ts";
import { joinNames, parseNames } from "../../base/name-list.ts";

type Limits = {
  readonly name: string | null;
  readonly expiresAt: string | null;
  readonly allowedIps: readonly string[] | null;
};

const DAY_CHARS = 10;
const NONE: Limits = { name: null, expiresAt: null, allowedIps: null };

type LimitFieldsProps = { readonly limits?: Limits; readonly fault: unknown };

export function NameField({ name = "" }: { readonly name?: string | null }) {
  const t = useTexts(keysTexts);
  return (
    <Field
      name="name"
      label={t.name}
      help={t.nameHelp}
      placeholder="shop"
      autoComplete="off"
      autoFocus
      defaultValue={name ?? ""}
    />
  );
}

export function LimitFields({ limits = NONE, fault }: LimitFieldsProps) {
  const t = useTexts(keysTexts);
  const wrong = fault instanceof Fault && fault.errors.some(({ field }) => field.startsWith("allowedIps."));
  return (
    <>
      <Field
        name="expiresAt"
        type="date"
        label={t.end}
        help={t.endHelp}
        defaultValue={limits.expiresAt?.slice(0, DAY_CHARS) ?? ""}
      />
      <Field
        name="allowedIps"
        label={t.addresses}
        help={t.addressesHelp}
        fault={wrong ? t.noAddresses : undefined}
        placeholder="203.0.113.7, 10.0.0.0/8"
        autoComplete="off"
        defaultValue={joinNames(limits.allowedIps)}
      />
    </>
  );
}

/** The fields as the API takes them. An unchanged expiry keeps its time of day. */
export function limitsIn(values: Readonly<Record<string, string>>, before: Limits = NONE) {
  const { name = "", expiresAt = "", allowedIps = "" } = values;
  const isSame = expiresAt === (before.expiresAt?.slice(0, DAY_CHARS) ?? "");
  return {
    name: name.trim() || null,
    allowedIps: [...(parseNames(allowedIps) ?? [])],
    ...(isSame ? {} : { expiresAt: expiresAt || null }),
  };
}
