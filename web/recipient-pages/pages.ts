// The pages that recipients see, in order.
export const PAGES = [
  { name: "footer", icon: "mail" },
  { name: "unsubscribe", icon: "globe" },
  { name: "paused", icon: "globe" },
  { name: "left", icon: "globe" },
  { name: "unsubscribed", icon: "globe" },
  { name: "confirmation", icon: "mail" },
  { name: "confirm", icon: "globe" },
  { name: "subscribed", icon: "globe" },
  { name: "gone", icon: "globe" },
  { name: "broken", icon: "globe" },
] as const;

export type PageName = (typeof PAGES)[number]["name"];

export function pageByName(name: string | undefined): PageName {
  return PAGES.find((page) => page.name === name)?.name ?? PAGES[0].name;
}
