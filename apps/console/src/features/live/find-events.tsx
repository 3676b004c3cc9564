import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Input } from '../../components/ui/field.js';

/** Leads to the events that passed long ago: one by its message id, or those of a user. */
export function FindEvents({ find = '' }: { find?: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(find);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = typed.trim();
        if (wanted) void navigate({ to: '/events', search: { find: wanted } });
      }}
    >
      <Input
        type="search"
        aria-label="Find earlier events by user or message ID"
        placeholder="User or message ID ↵"
        className="w-52"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </form>
  );
}
