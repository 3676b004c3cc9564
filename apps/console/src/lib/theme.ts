import { store } from './store.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Read by `theme.js` before the first paint, too. */
const KEY = 'weir.theme';
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');

const saved = THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
const chosen = store<Theme>(saved);

export const useTheme = chosen.use;
/** Whether the page is dark now. */
const dark = store(document.documentElement.classList.contains('dark'));
export const useIsDark = dark.use;

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  chosen.set(theme);
  apply();
}

function apply(): void {
  const theme = chosen.get();
  const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches);
  document.documentElement.classList.toggle('dark', isDark);
  dark.set(isDark);
}

prefersDark.addEventListener('change', apply);
