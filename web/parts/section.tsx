// A section of a settings page: its subject on the left, the fields on the right, stacked on a phone.
import { useId, type ReactNode } from "react";

type SectionProps = { readonly title: string; readonly text?: ReactNode; readonly children: ReactNode };

export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="stack tight">
        <h2 id={id}>{title}</h2>
        {text && <p className="dim row-text">{text}</p>}
      </div>
      <div className="stack l">{children}</div>
    </section>
  );
}

/** Sections stacked on one panel. */
export function Sections({ children }: { readonly children: ReactNode }) {
  return <div className="panel sections">{children}</div>;
}
