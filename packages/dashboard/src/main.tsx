import '@tributary/design/tokens.css';
import './styles/fonts.css';
import './styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria/I18nProvider';
import { createRoot } from 'react-dom/client';
import { watchActivity } from './api/client/activity.ts';
import { queryClient, router } from './app/router.tsx';

watchActivity();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nProvider locale="en-US">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
