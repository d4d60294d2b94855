// A part of the set-up that is a list beside what is open; on a phone one of the two.
import type { ReactNode } from "react";
import "./beside.css";

type BesideProps = { readonly list: ReactNode; readonly children: ReactNode };

export function Beside({ list, children }: BesideProps) {
  return (
    <div className="split">
      <section className="first of-set-up">
        <div className="scroll">{list}</div>
      </section>
      <section className="second of-set-up">{children}</section>
    </div>
  );
}
