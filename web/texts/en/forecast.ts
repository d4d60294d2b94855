// When a campaign of a new sender domain will have left, in English.

export const forecast = {
  waits: (people: string, domain: string) => `${domain} is warming up, so ${people} get the campaign little by little.`,
  people: (count: number, shown: string) => (count === 1 ? "1 person" : `${shown} people`),
  done: "The last of them will have got it",
  held: "The warm-up is paused or has halted, so they wait.",
  open: "Open the warm-up",
  about: "about",
};
