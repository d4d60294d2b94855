// What the server makes of what is being written, for somebody: asked again whenever the writing has come to rest.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, Fault, unwrap } from "../../api.ts";
import type { components } from "../../api.gen.ts";
import type { Kind, Written } from "../written.ts";

export type Previewed = components["schemas"]["Preview"];
/** With the preheader as the reader gets it. */
type WithPreheader = Previewed & { readonly preheader: string };

/** Whom it is for: a person of the workspace, what an event said, or nobody in particular. */
export type Reader =
  { readonly contactId: string } | { readonly eventId: string } | { readonly data: Readonly<Record<string, unknown>> };

export type Asked = { readonly value: Written; readonly kind: Kind; readonly reader: Reader };

/** Nobody waits for it, and the server is not asked for each letter. */
const PAUSE_MS = 350;

export type Preview = {
  /** Of the last text that could be read. */
  readonly shown: WithPreheader | undefined;
  /** Why the text as it is now cannot be. */
  readonly fault: Fault | null;
  readonly isBehind: boolean;
};

export function usePreview({ value, kind, reader }: Asked): Preview {
  const { subject, preheader, body, text } = value;
  const wanted = JSON.stringify({
    subject,
    preheader: preheader || null,
    body,
    text: text || null,
    kind,
    ...reader,
  });
  const asked = useRested(wanted);
  const { data, error, isFetching } = useQuery({
    queryKey: ["preview", asked],
    queryFn: ({ signal }) => previewOf(JSON.parse(asked) as PreviewRequest, signal),
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
    isBehind: isFetching || asked !== wanted,
  };
}

type PreviewRequest = components["schemas"]["PreviewRequest"];

/**
 * A preheader with variables is rendered as the subject of a mail without a body: in the mail itself it stands hidden.
 */
async function previewOf(body: PreviewRequest, signal: AbortSignal): Promise<WithPreheader> {
  const { preheader } = body;
  const ask = (asked: PreviewRequest) => unwrap(api.POST("/preview", { body: asked, signal }));
  const line = { ...body, subject: preheader ?? "", preheader: null, body: "", text: null };
  const rendered = /\{[{%]/.test(preheader ?? "") ? ask(line) : { subject: preheader ?? "" };
  const [answer, { subject }] = await Promise.all([ask(body), rendered]);
  return { ...answer, preheader: subject };
}

/** The first at once. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setRested, PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
