import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { Confirm } from './components/confirm.js';
import { Toasts } from './components/toast.js';
import { TooltipProvider } from './components/ui/tooltip.js';
import { router } from './router.js';
import { Gate } from './shell/gate.js';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has an element root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <Gate>
          <RouterProvider router={router} />
          <Confirm />
        </Gate>
        <Toasts />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
