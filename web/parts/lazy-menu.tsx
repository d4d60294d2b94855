// A menu that is loaded when somebody reaches for it, for the frame, which every page waits for.
import { lazy, Suspense, useState, type ComponentProps } from "react";
import { Icon } from "./icon.tsx";

const Menu = lazy(() => import("./menu.tsx").then(({ Menu }) => ({ default: Menu })));

export function LazyMenu(menu: Omit<ComponentProps<typeof Menu>, "open">) {
  const [wanted, want] = useState(false);
  const { label, className = "btn quiet s only", children } = menu;
  const button = (
    <button
      type="button"
      className={className}
      aria-label={children ? undefined : label}
      aria-haspopup="menu"
      onPointerEnter={() => void import("./menu.tsx")}
      onClick={() => want(true)}
    >
      {children ?? <Icon name="more" />}
    </button>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <Menu {...menu} open />
    </Suspense>
  );
}
