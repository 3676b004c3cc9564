// Runs before the first paint, so that a dark page never flashes white. A file, because the policy allows no inline script.
(() => {
  const wanted = localStorage.getItem('weir.theme') ?? 'system';
  const dark = wanted === 'dark' || (wanted === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();
