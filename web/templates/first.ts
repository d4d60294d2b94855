// The starter content and default sender of a new template.
import { useQuery } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import { brandQuery } from "../brand/calls.ts";
import { useStarterContent, type WritingMode } from "../writing/starter-content.ts";
import type { Template } from "./calls.ts";

type NewTemplateName = { readonly name: string; readonly type: Template["type"]; readonly how: WritingMode };

export function useFirst(): (named: NewTemplateName) => Promise<components["schemas"]["CreateTemplateRequest"]> {
  const firstWords = useStarterContent();
  const { data: brand } = useQuery({ ...brandQuery, throwOnError: false });
  return async ({ name, type, how }) => {
    const sender = brand?.from ? { from: brand.from, ...(brand.fromName ? { fromName: brand.fromName } : {}) } : {};
    return { name, type, subject: name, ...sender, ...(await firstWords(how)) };
  };
}
