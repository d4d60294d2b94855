// The overview, in English.

export const overview = {
  title: "Overview",
  first: { title: "Send a first mail", text: "This call sends a mail. Put a key of this workspace in place of $KEY." },
};
