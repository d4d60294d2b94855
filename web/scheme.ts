// Runs before the first paint: light or dark as last chosen, else as the system is.
try {
  const kept = localStorage.getItem("scheme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset["scheme"] = kept;
} catch {
  // A browser that keeps nothing follows the system.
}
