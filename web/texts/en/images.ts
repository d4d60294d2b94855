// Images, in English.

export const images = {
  choose: "Choose an image",
  upload: "Upload",
  drop: "Or drop files here: PNG, JPEG, GIF or WebP, up to 5 MB.",
  kinds: "Emails show PNG, JPEG, GIF and WebP, up to 5 MB each. The others were left out.",
  none: "No images yet.",
  more: "More",
  take: (name: string) => `Use ${name}`,
  remove: (name: string) => `Delete ${name}`,
  isUsed: "An email, template or campaign uses it.",
};
