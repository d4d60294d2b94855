// Loads all pages of a list, one after the other.

export const PAGE_SIZE = 100;

type NumberedPage<Item> = { readonly data: readonly Item[]; readonly totalPages: number };

export async function allPages<Item>(ask: (page: number) => Promise<NumberedPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, totalPages } = await ask(page);
    items.push(...data);
    pages = totalPages;
  }
  return items;
}
