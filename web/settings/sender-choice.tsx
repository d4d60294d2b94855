// Sender inputs that show whether the domain is verified.
import { useState, type ComponentProps, type ReactNode } from "react";
import { useTexts } from "../base/language.ts";
import { Field } from "../parts/fields/form.tsx";
import { Select } from "../parts/fields/select.tsx";
import { Tag } from "../parts/state.tsx";
import { domainsTexts } from "../texts/areas.ts";
import { useDomainState } from "./sender.ts";
import { domainIn } from "./senders-of.ts";

/** The state as a text; undefined while loading. */
function useDomainText(): (address: string) => string | undefined {
  const { conditions } = useTexts(domainsTexts);
  const conditionOf = useDomainState();
  return (address) => {
    const condition = conditionOf(address);
    return condition === undefined ? undefined : conditions[condition ?? "waiting"];
  };
}

export function SenderTag({ address }: { readonly address: string }) {
  const text = useDomainText()(address);
  return text === undefined ? null : <Tag>{text}</Tag>;
}

type SenderSelectProps = { readonly label: string; readonly senders: readonly string[] };

export function SenderSelect({ label, senders }: SenderSelectProps) {
  const { conditions } = useTexts(domainsTexts);
  const conditionOf = useDomainState();
  const noteOf = (address: string) => (conditionOf(address) === "forced" ? { note: conditions.forced } : {});
  const options = senders.map((address) => ({ id: address, name: address, ...noteOf(address) }));
  return <Select name="from" label={label} first={senders[0] ?? ""} options={options} />;
}

type SenderFieldProps = Omit<ComponentProps<typeof Field>, "name" | "help"> & {
  readonly defaultValue: string;
  readonly help?: ReactNode;
};

/** The state of the domain of a typed address, if it is not verified; otherwise `help`. */
export function useSenderHelp(typed: string, help: ReactNode): ReactNode {
  const { conditions } = useTexts(domainsTexts);
  const condition = useDomainState()(typed);
  const isNotable = condition === "forced" || condition === "failing" || condition === "waiting";
  return isNotable ? `${domainIn(typed)}: ${conditions[condition]}` : help;
}

export function SenderField({ defaultValue, help, ...field }: SenderFieldProps) {
  const [typed, setTyped] = useState(defaultValue);
  return (
    <Field
      {...field}
      name="from"
      defaultValue={defaultValue}
      help={useSenderHelp(typed, help)}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
