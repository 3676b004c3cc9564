import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** Where `npm run dev` finds the API. The gateway serves what `build` makes under the same path. */
const GATEWAY = 'http://127.0.0.1:8080';
const API = [
  '/console/session',
  '/admin',
  '/v0',
  '/v1',
  '/v2',
  '/transformations',
  '/libraries',
  '/schemas',
  '/destination-definitions',
  '/readyz',
  '/version',
];

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss()],
  // Projects of this repository are read from their source, as everywhere else.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined files would be `data:` addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    // The budget reads which files the first page needs.
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(API.map((path) => [path, GATEWAY])) },
});
