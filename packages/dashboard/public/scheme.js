/* Applies the chosen color scheme before the first paint. Without a choice, the system decides. */
try {
  const chosen = localStorage.getItem('scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.scheme = chosen;
} catch {
  /* Without storage, the system decides. */
}
