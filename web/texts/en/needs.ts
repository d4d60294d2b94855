// What of this server needs somebody, beside the texts of the overview, in English.

export const needs = {
  clockInDoubt: "The server’s clock is in doubt.",
  clockWaits:
    "It jumped more than a day ahead. Nothing is deleted by age and no scheduled email leaves until it has run for an hour without another jump, or the operator accepts it: posthorn clock accept.",
  clockBehind: "The server’s clock is behind the latest time it has seen.",
  clockBehindText:
    "It is wrong now, or it was wrong then. Email gets the time of now, and scheduled email leaves by it. Set the clock right; if it is, this is over after an hour, or with posthorn clock accept.",
  allRefused: (count: string) => `The last ${count} emails were all refused.`,
  note: (from: string, email: string) => `${from} wrote to you about ${email}:`,
  seeContact: "See the contact",
  aKey: "A program",
  allRefusedText: "Since then none has been taken. The relay’s answers say why.",
};
