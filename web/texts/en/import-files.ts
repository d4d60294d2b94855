// The files of an archive in an import, in English.

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const importFiles = {
  title: "Files",
  count: (count: number) => `${count} ${some(count, "file", "files")}`,
  worst: "If a person is in several files, the worst state counts.",
  takenFor: "Taken for",
  ofAll: (standing: string) =>
    `By its name or its columns, everybody in this file is taken for: ${standing}. If that is wrong, rename the file.`,
  rows: "Rows",
  standings: {
    subscribed: "Subscribed",
    pending: "Not confirmed",
    unsubscribed: "Unsubscribed",
    bounce: "Bounced",
    complaint: "Marked as spam",
    mixed: "By row",
  },
  leftOut: { no_list: "Left out: not a list", no_addresses: "Left out: no email addresses" },
  repeated: (count: string) => `${count} repeated`,
};
