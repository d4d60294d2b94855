// A list beside the open item; on a phone, only one of the two.
import type { ReactNode } from "react";
import "./list-detail.css";

type ListDetailProps = { readonly list: ReactNode; readonly children: ReactNode };

export function ListDetail({ list, children }: ListDetailProps) {
  return (
    <div className="split">
      <section className="first of-set-up">
        <div className="scroll">{list}</div>
      </section>
      <section className="second of-set-up">{children}</section>
    </div>
  );
}
