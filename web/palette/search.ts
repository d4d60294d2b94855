// What the server finds for some words, as it is written: each thing with the page that shows it.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, unwrap } from "../api.ts";
import type { components } from "../api.gen.ts";
import { PLACES } from "../frame/places.ts";
import { useTexts } from "../language.ts";
import { frameTexts } from "../texts/areas.ts";
import type { IconName } from "../parts/icon.tsx";
import { movesOf, verbIn } from "./campaign-verbs.ts";
import type { Group, Hit } from "./hits.ts";

type Found = components["schemas"]["Found"];
type Go = (path: string) => void;

const FEWEST_LETTERS = 2;
/** Nobody waits for it, and the server is not asked for each letter. */
const PAUSE_MS = 120;

export function useFound(words: string, go: Go): { readonly groups: readonly Group[]; readonly isAsking: boolean } {
  const t = useTexts(frameTexts);
  const said = verbIn(words.trim(), t.palette.campaign);
  const asked = usePaused(said.rest);
  const isLong = asked.length >= FEWEST_LETTERS;
  const { data, isFetching } = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => unwrap(api.GET("/search", { params: { query: { q: asked } }, signal })),
    enabled: isLong,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const groups = data && isLong && words.trim() !== "" ? groupsOf(data, go) : [];
  // An address means its person.
  if (asked.includes("@")) groups.sort(([one], [other]) => Number(other === "contacts") - Number(one === "contacts"));
  const named = groups.map(([id, hits]) => ({ id: `found ${id}`, name: t.palette.found[id], hits }));
  const moves = movesOf(data?.campaigns ?? [], said, t.palette.campaign);
  const first = moves.length > 0 ? [{ id: "move campaigns", name: t.palette.do, hits: moves }] : [];
  return { groups: [...first, ...named], isAsking: isFetching || asked !== said.rest };
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setPaused, PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** Each opens its page. */
function groupsOf(found: Found, go: Go): (readonly [keyof Found, readonly Hit[]])[] {
  const hit = (id: string, name: string, icon: IconName, path: string, note = ""): Hit => ({
    id: `${path} ${id}`,
    name,
    icon,
    note,
    run: () => go(path),
  });
  const mails: readonly (readonly [keyof Found, readonly Hit[]])[] = [
    ["emails", found.emails.map(({ id, to, subject }) => hit(id, subject, "mail", `/mail/${id}`, to))],
    [
      "contacts",
      found.contacts.map(({ id, email, formerEmail }) => hit(id, email, "user", `/people/${id}`, formerEmail ?? "")),
    ],
    ["campaigns", found.campaigns.map(({ id, name }) => hit(id, name, "campaigns", `/campaigns/${id}`))],
    ["templates", found.templates.map(({ id, name }) => hit(id, name, "templates", `/templates/${id}`))],
    ["segments", found.segments.map(({ id, name }) => hit(id, name, "segments", `/segments/${id}`))],
    ["workflows", found.workflows.map(({ id, name }) => hit(id, name, "workflows", `/workflows/${id}`))],
  ];
  const setUp: readonly (readonly [keyof Found, readonly Hit[]])[] = [
    ["domains", found.domains.map(({ id, domain }) => hit(id, domain, "globe", `/set-up/domains/${id}`))],
    ["keys", found.keys.map(({ id, name }) => hit(id, name, "key", "/set-up/keys"))],
  ];
  return [...(PLACES.some(({ name }) => String(name) === "mail") ? mails : []), ...setUp];
}
