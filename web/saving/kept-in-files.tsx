// Warns that this record is kept in files of a repository: changes made here must be pulled into them.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { lazyPart, nothing } from "../chunks.tsx";
import { call } from "../calls/api.ts";

const KeptBanner = lazyPart(() => import("./kept-banner.tsx"), "KeptBanner", nothing);

/** The key starts with the channel whose notices refetch the query. */
function keptQuery(channel: string) {
  return queryOptions({
    queryKey: [channel, "kept in files"],
    queryFn: () => call("GET /content", { kept: true }),
  });
}

type KeptInFilesProps = {
  readonly kind: "topics" | "segments" | "templates" | "blocks" | "brand" | "forms" | "workflows" | "webhooks";
  /** "brand" for the brand. */
  readonly id: string;
};

export function KeptInFiles({ kind, id }: KeptInFilesProps) {
  const { data } = useQuery({ ...keptQuery(kind === "brand" ? "workspace" : kind), throwOnError: false });
  const kept = data?.items.find((one) => one.kind === kind && one.id === id);
  if (!kept) return null;
  return (
    <Suspense>
      <KeptBanner file={`${kind}/${kept.name}`} isChanged={kept.isChanged} />
    </Suspense>
  );
}
