// Where somebody chooses whom a mail is from: it is said whether the domain is really verified.
import { useState, type ComponentProps, type ReactNode } from "react";
import { useTexts } from "../language.ts";
import { Field } from "../parts/form.tsx";
import { Select } from "../parts/select.tsx";
import { Tag } from "../parts/state.tsx";
import { domainsTexts } from "../texts/areas.ts";
import { useCondition } from "./sender.ts";
import { domainIn } from "./senders-of.ts";

/** In words; undefined while nobody knows. */
function useSaid(): (address: string) => string | undefined {
  const { conditions } = useTexts(domainsTexts);
  const conditionOf = useCondition();
  return (address) => {
    const condition = conditionOf(address);
    return condition === undefined ? undefined : conditions[condition ?? "waiting"];
  };
}

export function SenderTag({ address }: { readonly address: string }) {
  const said = useSaid()(address);
  return said === undefined ? null : <Tag>{said}</Tag>;
}

type SenderSelectProps = { readonly label: string; readonly senders: readonly string[] };

export function SenderSelect({ label, senders }: SenderSelectProps) {
  const { conditions } = useTexts(domainsTexts);
  const conditionOf = useCondition();
  const noteOf = (address: string) => (conditionOf(address) === "forced" ? { note: conditions.forced } : {});
  const options = senders.map((address) => ({ id: address, name: address, ...noteOf(address) }));
  return <Select name="from" label={label} first={senders[0] ?? ""} options={options} />;
}

type SenderFieldProps = Omit<ComponentProps<typeof Field>, "name" | "help"> & {
  readonly defaultValue: string;
  readonly help?: ReactNode;
};

/** What is to be known of the domain of an address that is being typed; `help` where that is nothing. */
export function useSenderHelp(typed: string, help: ReactNode): ReactNode {
  const { conditions } = useTexts(domainsTexts);
  const condition = useCondition()(typed);
  const isNews = condition === "forced" || condition === "failing" || condition === "waiting";
  return isNews ? `${domainIn(typed)}: ${conditions[condition]}` : help;
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
