// Leaving a form with unsaved changes, in English.

export const leave = {
  title: "Leave without saving?",
  text: "What you have changed on this page is not saved yet.",
  leave: "Leave",
  stay: "Stay on this page",
};
