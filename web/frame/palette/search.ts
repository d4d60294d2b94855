// Search results for the palette while the user types, each with its page.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { NAV_ITEMS } from "../nav-items.ts";
import { useTexts } from "../../base/language.ts";
import { frameTexts } from "../../texts/areas.ts";
import type { IconName } from "../../parts/icons/icon.tsx";
import { commandsFor, parseCommand } from "./campaign-commands.ts";
import { useDebounced } from "../../base/use-debounced.ts";
import type { HitGroup, Hit } from "./hits.ts";

type SearchHits = components["schemas"]["Found"];
type Navigate = (path: string) => void;

const MIN_LETTERS = 2;
/** Debounce: too short to notice, long enough to skip single letters. */
const PAUSE_MS = 120;

export function useSearchResults(
  words: string,
  navigate: Navigate,
): { readonly groups: readonly HitGroup[]; readonly isAsking: boolean } {
  const t = useTexts(frameTexts);
  const parsed = parseCommand(words.trim(), t.palette.campaign);
  const query = useDebounced(parsed.rest, PAUSE_MS);
  const isLong = query.length >= MIN_LETTERS;
  const { data, isFetching } = useQuery({
    queryKey: ["search", query],
    queryFn: ({ signal }) => call("GET /search", { q: query, signal }),
    enabled: isLong,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const groups = data && isLong && words.trim() !== "" ? groupsOf(data, navigate) : [];
  // For an email address, contacts come first.
  if (query.includes("@")) groups.sort(([one], [other]) => Number(other === "contacts") - Number(one === "contacts"));
  const named = groups.map(([id, hits]) => ({ id: `found ${id}`, name: t.palette.found[id], hits }));
  const commands = commandsFor(data?.campaigns ?? [], parsed, t.palette.campaign);
  const first = commands.length > 0 ? [{ id: "move campaigns", name: t.palette.do, hits: commands }] : [];
  return { groups: [...first, ...named], isAsking: isFetching || query !== parsed.rest };
}

/** Each result opens its page. */
function groupsOf(found: SearchHits, navigate: Navigate): (readonly [keyof SearchHits, readonly Hit[]])[] {
  const hit = (id: string, name: string, icon: IconName, path: string, note = ""): Hit => ({
    id: `${path} ${id}`,
    name,
    icon,
    note,
    run: () => navigate(path),
  });
  const mails: readonly (readonly [keyof SearchHits, readonly Hit[]])[] = [
    ["emails", found.emails.map(({ id, to, subject }) => hit(id, subject, "mail", `/mail/${id}`, to))],
    [
      "contacts",
      found.contacts.map(({ id, email, name, formerEmail }) =>
        hit(id, email, "user", `/people/${id}`, formerEmail ?? name ?? ""),
      ),
    ],
    ["campaigns", found.campaigns.map(({ id, name }) => hit(id, name, "campaigns", `/campaigns/${id}`))],
    ["templates", found.templates.map(({ id, name }) => hit(id, name, "templates", `/templates/${id}`))],
    ["segments", found.segments.map(({ id, name }) => hit(id, name, "segments", `/segments/${id}`))],
    ["topics", found.topics.map(({ id, name, key }) => hit(id, name, "flag", `/topics?search=${key}`))],
    ["forms", found.forms.map(({ id, name }) => hit(id, name, "form", `/forms/${id}`))],
    ["workflows", found.workflows.map(({ id, name }) => hit(id, name, "workflows", `/workflows/${id}`))],
  ];
  const setUp: readonly (readonly [keyof SearchHits, readonly Hit[]])[] = [
    ["domains", found.domains.map(({ id, domain }) => hit(id, domain, "globe", `/settings/domains/${id}`))],
    ["keys", found.keys.map(({ id, name }) => hit(id, name, "key", "/settings/keys"))],
  ];
  return [...(NAV_ITEMS.some(({ name }) => String(name) === "mail") ? mails : []), ...setUp];
}
