// A row of a list: what a record is called, which leads to it, and the cells beside that.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { Icon, type IconName } from "../parts/icon.tsx";

type LinePlace = Pick<LinkProps, "to" | "params" | "search" | "preload"> & {
  readonly tabIndex?: number;
  readonly onFocus?: () => void;
};

export type LineProps = Omit<ComponentProps<"div">, "name"> & {
  readonly icon?: IconName;
  /** In place of an icon. */
  readonly mark?: ReactNode;
  readonly name: ReactNode;
  /** One line of what else there is to say, beside the name. */
  readonly more?: ReactNode;
  /** Where the whole row leads. */
  readonly link?: LinePlace | undefined;
  /** What a click on the row opens, for a record without a page of its own. */
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
