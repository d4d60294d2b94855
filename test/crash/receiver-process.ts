// A receiver of webhooks as a process of its own: says where it listens, then a line for each request that it has
// answered.

export type Delivery = { readonly id: string; readonly email: string; readonly timestamp: string };

const LONGEST_DELAY_MS = 8;
/** One request in so many is refused for now. */
const REQUESTS_A_REFUSAL = 97;

function receive(): void {
  let count = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { contact } = (await request.json()) as { contact: { email: string } };
      const place = ++count;
      await Bun.sleep((place * 7) % (LONGEST_DELAY_MS + 1));
      const { headers } = request;
      const delivery: Delivery = {
        id: headers.get("webhook-id") ?? "",
        email: contact.email,
        timestamp: headers.get("webhook-timestamp") ?? "",
      };
      console.log(JSON.stringify(delivery));
      return new Response("ok", { status: place % REQUESTS_A_REFUSAL === 0 ? 503 : 200 });
    },
  });
  console.log(`http://127.0.0.1:${server.port}`);
  // The input ends with the test, however that ends.
  process.stdin.once("end", () => process.exit(0)).resume();
}

if (import.meta.main) receive();
