// A list of short texts, such as tags, as chips.
import { Fragment } from "react";

type ChipText = string | number;

export function isList(value: unknown): value is readonly ChipText[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number");
}

/** The spaces separate the words for screen readers. */
export function Chips({ of }: { readonly of: readonly ChipText[] }) {
  return of.map((one, at) => (
    <Fragment key={at}>
      {at > 0 && " "}
      <span className="tag">{one}</span>
    </Fragment>
  ));
}
