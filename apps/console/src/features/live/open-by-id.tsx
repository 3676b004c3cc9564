import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Input } from '../../components/ui/field.js';

/** The life of an event that passed long ago. */
export function OpenById() {
  const navigate = useNavigate();
  const [id, setId] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (id) void navigate({ to: '/events/$messageId', params: { messageId: id } });
      }}
    >
      <Input
        aria-label="Open an earlier event by its message id"
        placeholder="Open a message id ↵"
        className="w-44"
        value={id}
        onChange={({ target }) => setId(target.value.trim())}
      />
    </form>
  );
}
