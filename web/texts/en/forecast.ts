// The end of a campaign of a new sender domain, in English.

export const forecast = {
  waits: (people: string, domain: string) =>
    `Mailbox providers do not know ${domain} yet, so ${people} get the campaign little by little.`,
  people: (count: number, shown: string) => (count === 1 ? "1 person" : `${shown} people`),
  done: "The last email is expected to leave by",
  held: "The warm-up is paused or has halted, so they wait.",
  open: "Open the warm-up",
  warm: (domain: string) => `Has ${domain} sent as much elsewhere already?`,
  say: "Then say so in the warm-up, and nobody waits.",
  limits: {
    done: "done by",
    RATE: (_: string) => "",
    PROVIDER_PACE: (provider: string) => `${provider} has asked for less email`,
    WARM_UP: (domain: string) => `${domain} is being warmed up`,
  },
  about: "about",
};
