// A menu loaded on first use, to keep the frame small.
import { Suspense, useState, type ComponentProps } from "react";
import { Icon } from "../icons/icon.tsx";
import { lazyPart } from "../../chunks.tsx";

const Menu = lazyPart(() => import("./menu.tsx"), "Menu");

export function LazyMenu(menu: Omit<ComponentProps<typeof Menu>, "open">) {
  const [isWanted, setWanted] = useState(false);
  const { label, className = "btn quiet s only", children } = menu;
  const button = (
    <button
      type="button"
      className={className}
      aria-label={children ? undefined : label}
      aria-haspopup="menu"
      onPointerEnter={() => void import("./menu.tsx")}
      onClick={() => setWanted(true)}
    >
      {children ?? <Icon name="more" />}
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <Menu {...menu} open />
    </Suspense>
  );
}
