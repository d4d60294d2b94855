// Where the pages of recipients are.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

export type PageSearch = {
  readonly page?: string;
  readonly language?: string;
  readonly size?: "phone";
  readonly dark?: true;
};

export const recipientPagesRoute = createRoute({
  path: "/set-up/pages",
  getParentRoute: () => frameRoute,
  validateSearch: ({ page, language, size, dark }: Record<string, unknown>): PageSearch => ({
    ...(typeof page === "string" ? { page } : {}),
    ...(typeof language === "string" ? { language } : {}),
    ...(size === "phone" ? { size } : {}),
    ...(String(dark) === "true" ? { dark: true } : {}),
  }),
  component: lazyRouteComponent(() => import("./recipient-pages.tsx"), "RecipientPages"),
});
