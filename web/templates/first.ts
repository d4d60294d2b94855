// What a new template begins with: its first words, and the sender of the brand.
import { useQuery } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import { brandQuery } from "../brand/calls.ts";
import { useFirstWords, type How } from "../writing/first.ts";
import type { Template } from "./calls.ts";

type Named = { readonly name: string; readonly type: Template["type"]; readonly how: How };

export function useFirst(): (named: Named) => Promise<components["schemas"]["CreateTemplateRequest"]> {
  const firstWords = useFirstWords();
  const { data: brand } = useQuery({ ...brandQuery, throwOnError: false });
  return async ({ name, type, how }) => {
    const sender = brand?.from ? { from: brand.from, ...(brand.fromName ? { fromName: brand.fromName } : {}) } : {};
    return { name, type, subject: name, ...sender, ...(await firstWords(how)) };
  };
}
