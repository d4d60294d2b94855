// Polls the status of this server.
import { useQuery } from "@tanstack/react-query";
import type { components } from "../../api.gen.ts";
import { query } from "../../calls/query.ts";

export type Installation = components["schemas"]["Installation"];

const POLL_MS = 15_000;

export const useInstallation = () => useQuery(query("GET /installation", {}, { refetchInterval: POLL_MS }));
