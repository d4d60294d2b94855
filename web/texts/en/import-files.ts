// The files of an archive in an import, in English.

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const importFiles = {
  title: "Files",
  count: (count: number) => `${count} ${some(count, "file", "files")}`,
  worst: "Of a person in several files, the worst is kept.",
  takenFor: "Taken for",
  rows: "Rows",
  standings: {
    subscribed: "Subscribed",
    pending: "Not confirmed",
    unsubscribed: "Unsubscribed",
    bounce: "Bounced",
    complaint: "Marked as spam",
    mixed: "As each row says",
  },
  leftOut: { no_list: "Left out: not a list", no_addresses: "Left out: no email addresses" },
  repeated: (count: string) => `${count} named before`,
};
