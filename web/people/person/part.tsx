// A part of a person's profile, under its title.
import type { ReactNode } from "react";

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="card-part">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
