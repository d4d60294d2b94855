// The server's rendering of a draft for a person, requested once typing stops.
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { call, Fault } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { useDebounced } from "../../base/use-debounced.ts";
import type { TemplateType, Content } from "../content.ts";

export type PreviewAnswer = components["schemas"]["Preview"];
/** The answer with the rendered preheader. */
type PreviewWithPreheader = PreviewAnswer & { readonly preheader: string };

/** The recipient: a person, an event, or sample data. */
export type Reader =
  { readonly contactId: string } | { readonly eventId: string } | { readonly data: Readonly<Record<string, unknown>> };

export type PreviewInput = { readonly value: Content; readonly kind: TemplateType; readonly reader: Reader };

/** Debounce: too short to notice, long enough to skip single letters. */
const PAUSE_MS = 350;

export type ContentPreview = {
  /** The last successful rendering. */
  readonly shown: PreviewWithPreheader | undefined;
  /** The error of the current draft. */
  readonly fault: Fault | null;
  readonly isBehind: boolean;
};

export function usePreview({ value, kind, reader }: PreviewInput): ContentPreview {
  const { subject, preheader, body, text } = value;
  const request = JSON.stringify({
    subject,
    preheader: preheader || null,
    body,
    text: text || null,
    kind,
    ...reader,
  });
  const debounced = useDebounced(request, PAUSE_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: ["preview", debounced],
    queryFn: ({ signal }) => requestPreview(JSON.parse(debounced) as PreviewRequest, signal),
    enabled: body !== "",
    staleTime: Infinity,
    gcTime: 0,
    throwOnError: false,
  });
  const last = useRef(data);
  if (data) last.current = data;
  return {
    shown: data ?? last.current,
    fault: error instanceof Fault ? error : null,
    isBehind: isFetching || debounced !== request,
  };
}

type PreviewRequest = components["schemas"]["PreviewRequest"];

/**
 * A preheader with variables is rendered as the subject of an email without a body, because the email itself hides it.
 */
async function requestPreview(body: PreviewRequest, signal: AbortSignal): Promise<PreviewWithPreheader> {
  const { preheader } = body;
  const ask = (request: PreviewRequest) => call("POST /preview", { body: request, signal });
  const line = { ...body, subject: preheader ?? "", preheader: null, body: "", text: null };
  const rendered = /\{[{%]/.test(preheader ?? "") ? ask(line) : { subject: preheader ?? "" };
  const [answer, { subject }] = await Promise.all([ask(body), rendered]);
  return { ...answer, preheader: subject };
}
