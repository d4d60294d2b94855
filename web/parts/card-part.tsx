// A part of a card, under its title.
import type { ReactNode } from "react";

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="card-part">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
