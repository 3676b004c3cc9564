import { useMutation } from '@tanstack/react-query';
import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import type { Schema } from '../api/client.js';
import { signOut } from '../api/session.js';
import { tellError } from '../components/toast.js';
import { Button } from '../components/ui/button.js';
import { setTheme, THEMES, useTheme } from '../lib/theme.js';

const ICONS = { system: Monitor, light: Sun, dark: Moon };

/** Who is signed in, the theme, and the way out. */
export function Account({ session }: { session: Schema<'SignedIn'> }) {
  const theme = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const Icon = ICONS[theme];
  const leave = useMutation({ mutationFn: signOut, onError: tellError });
  return (
    <footer className="flex flex-wrap items-center justify-center gap-1 border-t p-2.5">
      <div className="hidden w-full truncate px-1 text-[12.5px] font-medium md:block" title={session.session.email}>
        {session.session.email}
      </div>
      <div className="hidden flex-1 px-1 text-xs text-muted md:block">{session.session.role}</div>
      <Button
        look="quiet"
        size="icon"
        aria-label={`Theme: ${theme}. Switch to ${next}`}
        title={`Theme: ${theme}`}
        onClick={() => setTheme(next)}
      >
        <Icon size={16} aria-hidden />
      </Button>
      <Button look="quiet" size="icon" aria-label="Sign out" title="Sign out" onClick={() => leave.mutate()}>
        <LogOut size={16} aria-hidden />
      </Button>
    </footer>
  );
}
