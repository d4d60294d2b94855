// People by the mailbox provider that keeps their mailboxes, as the warm-up counts them: a company whose MX records
// name Google is Google's.
import type { Clock } from "../../../base/clock.ts";
import { PROVIDER_NAMES, providerOf } from "../../../mail/statistics/providers.ts";

type ProviderCounts = ReadonlyMap<string, number>;

/** The name of the provider, or the domain itself. */
export type MailboxOf = (domain: string) => Promise<string>;

type ProviderCountOptions = { readonly mailboxOf: MailboxOf; readonly clock: Pick<Clock, "timeout"> };

/** The domains with the most people; the rest of a long list is a person or two each. */
const MOST_LOOKED_UP = 500;
const LONGEST_MS = 2_000;

/** `isEstimate`: some domains were not looked up. */
export async function byProvider(
  byDomain: ProviderCounts,
  { mailboxOf, clock }: ProviderCountOptions,
): Promise<{ readonly byProvider: ProviderCounts; readonly isEstimate: boolean }> {
  const found = new Map<string, number>();
  const add = (provider: string, people: number) => found.set(provider, (found.get(provider) ?? 0) + people);
  const others: (readonly [domain: string, people: number])[] = [];
  for (const [domain, people] of byDomain) {
    const provider = providerOf(domain);
    if (provider === "other") others.push([domain, people]);
    else add(provider, people);
  }
  const largest = others.toSorted(([, one], [, other]) => other - one).slice(0, MOST_LOOKED_UP);
  let left = others.length;
  const lookUps = largest.map(async ([domain, people]) => {
    const mailbox = await mailboxOf(domain);
    left--;
    if ((PROVIDER_NAMES as readonly string[]).includes(mailbox)) add(mailbox, people);
  });
  if (largest.length > 0) await withinTime(Promise.all(lookUps), clock);
  // Later look-ups count for the next time.
  return { byProvider: new Map(found), isEstimate: left > 0 };
}

function withinTime(work: Promise<unknown>, clock: Pick<Clock, "timeout">): Promise<void> {
  const signal = clock.timeout(LONGEST_MS);
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    work.then(
      () => resolve(),
      () => resolve(),
    );
  });
}
