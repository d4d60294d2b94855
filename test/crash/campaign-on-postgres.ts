// The same with two servers on one PostgreSQL, which work on the campaign together; one of them is killed now and then.
import { SQL } from "bun";
import { addressOf, caller, sendCampaign, type CampaignPlan } from "./campaign-scenario.ts";
import { Installation } from "./installation.ts";
import { duplicatesIn, faultsIn } from "./verdict.ts";

const SHORTEST_RUN_MS = 200;
const LONGEST_RUN_MS = 900;

export async function killOneOfTwoDuringCampaign({ people, kills, seed }: CampaignPlan) {
  await using installation = await Installation.set({ seed, ratePerSecond: 0, nodes: [{}, {}] });
  await addPeople(installation.database.url, people);
  const { secretKey, url } = installation.address(0);
  const call = caller(secretKey);
  const id = await sendCampaign(call, url);
  for (let kill = 0; kill < kills; kill++) {
    await Bun.sleep(SHORTEST_RUN_MS + installation.random.below(LONGEST_RUN_MS));
    const node = installation.nodes[installation.random.below(2)];
    if (!node) continue;
    await installation.kill(node);
    await installation.startAgain(node);
  }
  const look = (path: string) => call(installation.address(1).url, "GET", `/campaigns/${id}${path}`);
  await installation.until(async () => (await look("")).status === "SENT", "the campaign was sent");
  const counted = await look("/stats");
  await installation.drain();
  const evidence = await installation.evidence();
  const ids = new Map(evidence.mails.map((mail) => [mail.recipient, mail.id]));
  const recipients = Array.from({ length: people }, (_, number) => addressOf(number));
  const exchanges = [{ recipients, ids: recipients.map((recipient) => ids.get(recipient) ?? "none") }];
  return {
    faults: [...installation.book.faults, ...faultsIn({ ...evidence, exchanges })],
    arrivals: evidence.arrivals.length,
    duplicates: duplicatesIn(evidence.arrivals).length,
    counted,
  };
}

async function addPeople(url: string, people: number): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  const now = new Date().toISOString();
  await sql`
    insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
    select 'c' || n, 1, 'reader' || n || '@example.com', 1, '{}'::jsonb, ${now}, ${now}
    from generate_series(0, ${people - 1}) as n`;
  await sql.close();
}
