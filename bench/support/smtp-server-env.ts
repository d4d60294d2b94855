// The environment of a server whose mail leaves through the sink of the bench.
import type { Environment } from "./server-process.ts";

export function throughSink(port: number, concurrency: number): Environment {
  return {
    POSTHORN_DELIVERY_TRANSPORT: "smtp",
    POSTHORN_DELIVERY_CONCURRENCY: String(concurrency),
    POSTHORN_RELAY_HOST: "127.0.0.1",
    POSTHORN_RELAY_PORT: String(port),
    POSTHORN_RELAY_TLS: "none",
    POSTHORN_HTTP_BASE_URL: "https://mail.example.com",
  };
}
