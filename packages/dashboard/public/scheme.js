/* Runs before the first paint: what the person chose, or nothing, and then the system decides. */
try {
  const chosen = localStorage.getItem('scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.scheme = chosen;
} catch {
  /* A browser that keeps nothing follows the system. */
}
