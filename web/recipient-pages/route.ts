// The route of recipient pages.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export type PageSearch = {
  readonly page?: string;
  readonly language?: string;
  readonly size?: "phone";
  readonly dark?: true;
};

export const recipientPagesRoute = createRoute({
  path: "/settings/pages",
  getParentRoute: () => frameRoute,
  validateSearch: ({ page, language, size, dark }: Record<string, unknown>): PageSearch =>
    compact({
      page: typeof page === "string" ? page : undefined,
      language: typeof language === "string" ? language : undefined,
      size: size === "phone" ? size : undefined,
      dark: String(dark) === "true" ? true : undefined,
    }),
  component: lazyScreen(() => import("./recipient-pages.tsx"), "RecipientPages"),
});
