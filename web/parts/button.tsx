// A button, and a link that looks like one. A disabled one stays in place and says why.
import { createLink } from "@tanstack/react-router";
import { useId, type ComponentProps, type ReactNode } from "react";
import { Icon, StatusIcon, type IconName } from "./icons/icon.tsx";

type ButtonLook = {
  /** `first`: the primary action of the screen. `risk`: destructive. */
  readonly kind?: "first" | "quiet" | "risk" | undefined;
  readonly small?: boolean | undefined;
  readonly wide?: boolean | undefined;
  readonly icon?: IconName | undefined;
};

type ButtonProps = Omit<ComponentProps<"button">, "disabled"> &
  ButtonLook & {
    readonly disabledReason?: string | undefined;
    readonly busy?: boolean | undefined;
    /** The accessible name of a button with only an icon. */
    readonly label?: string;
  };

function classes({ kind, small, wide }: ButtonLook, only: boolean, more = ""): string {
  return ["btn", kind, small && "s", wide && "wide", only && "only", more].filter(Boolean).join(" ");
}

export function Button({
  kind,
  small,
  wide,
  icon,
  disabledReason,
  busy,
  label,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const why = useId();
  const only = children === undefined;
  return (
    <>
      <button
        type="button"
        {...rest}
        className={classes({ kind, small, wide }, only, rest.className)}
        aria-label={label}
        title={disabledReason ?? (only ? label : undefined)}
        aria-disabled={disabledReason !== undefined || undefined}
        aria-busy={busy || undefined}
        aria-describedby={disabledReason === undefined ? undefined : why}
        onClick={(event) => {
          if (disabledReason !== undefined || busy) return event.preventDefault();
          onClick?.(event);
        }}
      >
        {busy ? <StatusIcon name="sending" tone="note" /> : icon && <Icon name={icon} />}
        {children}
      </button>
      {disabledReason !== undefined && (
        <span id={why} className="hidden-text">
          {disabledReason}
        </span>
      )}
    </>
  );
}

/** The reason beside a disabled button, and how to fix it. */
export function DisabledReason({ children }: { readonly children: ReactNode }) {
  return (
    <span className="disabled-reason">
      <StatusIcon name="info" />
      <span>{children}</span>
    </span>
  );
}

type AnchorProps = ComponentProps<"a"> & ButtonLook & { readonly label?: string };

function Anchor({ kind, small, wide, icon, label, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={classes({ kind, small, wide }, children === undefined)} aria-label={label} title={label}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** For links that leave the app: a file, a mailto. */
export const AnchorButton = Anchor;

/** A link to a page of the app that looks like a button: `<ButtonLink to="/mail">`. */
export const ButtonLink = createLink(Anchor);
