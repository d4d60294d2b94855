// A row of a list: the record's name, which links to the record, and the cells beside it.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { Icon, type IconName } from "../parts/icons/icon.tsx";

type LinePlace = Pick<LinkProps, "to" | "params" | "search" | "preload"> & {
  readonly tabIndex?: number;
  readonly onFocus?: () => void;
};

export type LineProps = Omit<ComponentProps<"div">, "name"> & {
  readonly icon?: IconName;
  /** In place of an icon. */
  readonly mark?: ReactNode;
  readonly name: ReactNode;
  /** A text beside the name, cut to one line. */
  readonly more?: ReactNode;
  /** The link of the whole row. */
  readonly link?: LinePlace | undefined;
  /** Opens a record that has no page of its own, on a click on the row. */
  readonly open?: (() => void) | undefined;
};

export function Line({ icon, mark, name, more, link, open, children, ...rest }: LineProps) {
  return (
    <div {...rest} className="line">
      {icon ? <Icon name={icon} /> : mark}
      <span className="named cut">
        <Name name={name} link={link} open={open} />
        {more && " "}
        {more && <span className="dim">{more}</span>}
      </span>
      {children}
    </div>
  );
}

export function Name({ name, link, open }: Pick<LineProps, "name" | "link" | "open">) {
  if (link)
    return (
      <Link {...(link as { to: string })} className="name leads">
        {name}
      </Link>
    );
  if (open)
    return (
      <button type="button" className="name leads" onClick={open}>
        {name}
      </button>
    );
  return <span className="name">{name}</span>;
}
