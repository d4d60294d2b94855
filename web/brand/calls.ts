// API calls for the brand of a workspace.
import { useMutation, useQuery } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import { queries } from "../calls/queries.ts";
import { query } from "../calls/query.ts";
import { save } from "../saving/save.ts";
import { workspaceQuery } from "../calls/workspace.ts";
import { PLAIN_LOOK, type MailColours } from "../writing/visual/document.ts";

export type Brand = components["schemas"]["KeptBrand"];
export type BrandChange = components["schemas"]["UpdateBrandRequest"];

export const COLOURS = ["accent", "onAccent", "ink", "paper", "ground"] as const;
export type Colour = (typeof COLOURS)[number];

export const brandQuery = query("GET /workspace/brand");

/** `seen`: the brand when the form was opened. `done`: `isMine` false = another user's version was kept. */
export function useSaveBrand(seen: Brand, done: (brand: Brand, isMine: boolean) => void) {
  return useMutation({
    mutationFn: (mine: BrandChange) => save("PUT /workspace/brand", {}, { seen, mine }),
    onSuccess: ({ row, isMine }) => {
      queries.setQueryData(brandQuery.queryKey, row);
      done(row, isMine);
    },
    meta: { inForm: true },
  });
}

/** The brand as a look for visual emails, with defaults for empty values. */
export function useLook(): MailColours {
  const { data } = useQuery({ ...brandQuery, throwOnError: false });
  const { data: workspace } = useQuery({ ...workspaceQuery, throwOnError: false });
  const language = workspace?.language ?? PLAIN_LOOK.language;
  return { ...(data ? lookOf(data) : PLAIN_LOOK), language };
}

const LOGO_WIDTH = 120;

export function lookOf({ colors, font, logoUrl, logoAlt, footer }: Brand): MailColours {
  const known = Object.fromEntries(COLOURS.flatMap((name) => (colors[name] ? [[name, colors[name]]] : [])));
  return {
    ...PLAIN_LOOK,
    ...known,
    ...(font ? { font } : {}),
    logo: logoUrl ? { src: logoUrl, alt: logoAlt ?? "", width: LOGO_WIDTH } : null,
    footer: footer ?? "",
  };
}
