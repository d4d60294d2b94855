// Runs before the first paint: applies the colour scheme and the row height.
try {
  const kept = localStorage.getItem("scheme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset["scheme"] = kept;
  if (localStorage.getItem("rows") === "roomy") document.documentElement.dataset["rows"] = "roomy";
} catch {
  // Without storage, the scheme of the system applies.
}
