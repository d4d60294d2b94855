// A link to an email in a person's history.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export function MailLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <Link to="/mail/$id" params={{ id }} search={{}} preload={false}>
      {children}
    </Link>
  );
}
